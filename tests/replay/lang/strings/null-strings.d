/* args: -r tests/pcap/empty.pcap -q */
/* NULL can be stored, compared and passed on; it equals "". */
string never, array[string], kept[int];

BEGIN
{
	printf("%d%d%d\n", never == NULL, never == "", never != NULL);
	self->s = "set";
	printf("%d%d%d\n", self->s == NULL, self->s != NULL, NULL == self->s);
	self->s = 0;
	printf("%d%d%d%d\n", self->s == NULL, self->s == "", self->s < "a", array["k"] >= "a");
	copy = self->s;
	this->copy = copy;
	array["k"] = "here";
	array["k"] = this->copy;
	printf("%d%d%d\n", copy == NULL, this->copy == 0, array["k"] == NULL);
	kept[1] = 1 ? NULL : "else";
	kept[2] = never == NULL ? "then" : NULL;
	printf("%d%d%s\n", kept[1] == NULL, kept[2] == NULL, kept[2]);
	copy = "back";
	array["k"] = copy;
	printf("%s%s\n", copy, array["k"]);
}
BEGIN
/self->s == NULL && array["k"] != NULL/
{
	printf("%s\n", (string)NULL == NULL ? "null" : "not null");
	exit(0);
}
