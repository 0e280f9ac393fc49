"""svg.py FILE: prints what a picture contains, and checks that the picture can be read.

Fails if the file is no XML, or if a text lies outside of the picture or over another one.
Prints the title of each element that has a title."""
import re
import sys
import xml.etree.ElementTree as E

S = "{http://www.w3.org/2000/svg}"
CHAR = {"title": 9.7}


def texts(node, dx, dy, out):
    m = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", node.get("transform", ""))
    if m:
        dx, dy = dx + float(m[1]), dy + float(m[2])
    if node.tag == S + "text" and node.text and "display:none" not in node.get("style", ""):
        width = len(node.text) * CHAR.get(node.get("class"), 7.23)
        x = float(node.get("x")) + dx
        x -= {"middle": width / 2, "end": width}.get(node.get("text-anchor"), 0)
        y = float(node.get("y")) + dy
        out.append((x, y - 9, x + width, y + 3, node.text))
    for c in node:
        texts(c, dx, dy, out)


root = E.parse(sys.argv[1]).getroot()
boxes = []
texts(root, 0, 0, boxes)
bad = 0
for i, a in enumerate(boxes):
    if a[0] < 0 or a[2] > float(root.get("width")) or a[1] < 0 or a[3] > float(root.get("height")):
        print("outside:", a)
        bad = 1
    for b in boxes[:i]:
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
            print("overlap:", a, b)
            bad = 1
for t in root.iter(S + "title"):
    print(t.text)
sys.exit(bad)
