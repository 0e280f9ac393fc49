/*
 * Scripts a flame graph in a browser: fits the window, zooms, searches, and describes the frame
 * below the mouse.
 */
(function () {
"use strict";
var svg = document.documentElement, total = +svg.getAttribute("data-total"), char = 7.23, pad = 10, width = 1200;
var view = {x: 0, w: total, d: -1}, pattern = "";
var frames = Array.prototype.map.call(document.querySelectorAll("g.f"), function (g) {
	var title = g.querySelector("title").textContent;
	return {
		g: g, rect: g.querySelector("rect"), text: g.querySelector("text"), title: title.replace("\n", ": "),
		name: title.split("\n")[0], x: +g.getAttribute("data-x"), w: +g.getAttribute("data-w"),
		d: +g.getAttribute("data-d")
	};
});
function at(id) { return document.getElementById(id); }
/* Shortens a name to @room pixels: first drops the module, then cuts the end. */
function fitted(s, room) {
	var n = Math.floor(room / char);
	s = Array.from(s);
	if (s.length > n && s.indexOf("`") > 0)
		s = s.slice(s.indexOf("`") + 1);
	return s.length <= n ? s.join("") : n < 3 ? "" : s.slice(0, n - 2).join("") + "..";
}
function share(w) { return (100 * w / total).toFixed(2) + " %"; }

/* Positions a frame. Callers of the zoomed frame span the whole width. */
function place(f) {
	var x = f.x, w = f.w, below = f.d < view.d && x <= view.x && x + w >= view.x + view.w;
	var shown = below || (f.d >= view.d && x >= view.x && x + w <= view.x + view.w);
	f.g.style.display = shown ? "" : "none";
	if (!shown)
		return;
	var room = width - 2 * pad, left = below ? 0 : (x - view.x) / view.w * room, wide = below ? room : w / view.w * room;
	f.rect.setAttribute("x", pad + left);
	f.rect.setAttribute("width", Math.max(wide > 2 ? wide - 0.5 : wide, 0.2));
	f.text.setAttribute("x", pad + left + 3);
	f.text.textContent = fitted(f.name, wide - 6);
	f.g.style.opacity = below ? 0.55 : 1;
}
function layout() {
	width = Math.max(svg.clientWidth || 0, window.innerWidth || 0) ? Math.max(window.innerWidth, 320) : 1200;
	if (document.documentElement.clientWidth && document.documentElement.clientWidth < width)
		width = Math.max(document.documentElement.clientWidth, 320);
	svg.setAttribute("width", width);
	svg.setAttribute("viewBox", "0 0 " + width + " " + svg.getAttribute("height"));
	at("title").setAttribute("x", width / 2);
	at("title").textContent = fitted(svg.getAttribute("data-title"), (width - 2 * pad) * 0.75);
	at("find").setAttribute("x", width - pad - 190);
	frames.forEach(place);
	at("reset").style.display = view.d > 0 ? "" : "none";
	describe(null);
}
function zoom(f) {
	view = f && f.d > 0 ? f : {x: 0, w: total, d: -1};
	layout();
	remember();
}

/* Marks matching frames. A match inside a matching frame adds no weight. */
function find(text) {
	var re, end = -1, sum = 0, n = 0;
	pattern = text;
	try {
		re = new RegExp(text, "i");
	} catch (e) {
		re = new RegExp(text.replace(/[^\w]/g, "\\$&"), "i");
	}
	frames.forEach(function (f) {
		f.found = text !== "" && re.test(f.name);
		f.g.setAttribute("class", f.found ? "f m" : "f");
	});
	frames.filter(function (f) { return f.found; }).sort(function (a, b) { return a.x - b.x || a.d - b.d; })
		.forEach(function (f) {
			n++;
			if (f.x >= end) {
				sum += f.w;
				end = f.x + f.w;
			}
		});
	at("found").textContent = text === "" ? "" : n + " found, " + share(sum);
	remember();
}
function describe(f) {
	at("described").textContent = f ? fitted(f.title, width - 2 * pad) : "";
}
function remember() {
	var parts = [];
	if (pattern !== "")
		parts.push("find=" + encodeURIComponent(pattern));
	if (view.d > 0)
		parts.push("zoom=" + frames.indexOf(view));
	try {
		history.replaceState(null, "", "#" + parts.join("&"));
	} catch (e) {
		/* file: URLs may forbid this; the view is then not kept */
	}
}
function recall() {
	location.hash.slice(1).split("&").forEach(function (part) {
		var i = part.indexOf("="), value = decodeURIComponent(part.slice(i + 1));
		if (part.slice(0, i) === "find") {
			at("entry").value = value;
			find(value);
		} else if (part.slice(0, i) === "zoom" && frames[+value]) {
			zoom(frames[+value]);
		}
	});
}

/* The search field is made here: a picture viewer without scripts does not show it. */
var html = "http://www.w3.org/1999/xhtml", entry = document.createElementNS(html, "input");
entry.setAttribute("id", "entry");
entry.setAttribute("type", "search");
entry.setAttribute("placeholder", "search");
entry.setAttribute("style", "box-sizing:border-box;width:190px;height:22px;font:12px monospace");
entry.addEventListener("input", function () { find(entry.value); });
at("find").appendChild(entry);

frames.forEach(function (f) {
	f.g.addEventListener("click", function () { zoom(f); });
	f.g.addEventListener("mouseover", function () { describe(f); });
	f.g.addEventListener("mouseout", function () { describe(null); });
});
at("reset").addEventListener("click", function () { zoom(null); });
window.addEventListener("keydown", function (e) {
	if (e.key === "Escape") {
		entry.value = "";
		find("");
		zoom(null);
	} else if ((e.key === "f" && (e.ctrlKey || e.metaKey)) || (e.key === "/" && e.target !== entry)) {
		e.preventDefault();
		entry.focus();
	}
});
window.addEventListener("resize", layout);
var hash = location.hash;
layout();
if (hash)
	recall();
}());
