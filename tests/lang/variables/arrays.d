/* args: -q */
/* Keys of several kinds. An element that was never set reads as 0; assigning 0 deletes it. */
BEGIN
{
	a["x", 1] = 5;
	a["x", 2] = 6;
	a["y", 1] = a["x", 1] + a["x", 2];
	a[strjoin("x", ""), 1]++;
	printf("%d %d %d %d\n", a["x", 1], a["x", 2], a["y", 1], a["z", 1]);
	a["x", 1] = 0;
	printf("%d\n", a["x", 1]);
	n["one"] = "eins";
	n["two"] = n["one"];
	n["one"] = 0;
	printf("%s %d\n", n["two"], n["one"] == NULL);
	self->k[tid, "a"] = 9;
	printf("%d %d\n", self->k[tid, "a"], self->k[tid, "b"]);
	exit(0);
}
