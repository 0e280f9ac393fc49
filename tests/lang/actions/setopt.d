/* args: -q */
/* Options change when the consumer reaches the record; names and values may be computed. */
BEGIN
{
	@a["one"] = sum(1);
	@a["two"] = sum(2);
	@a["also"] = sum(3);
	printa("%s %@d\n", @a);
	setopt("aggsortrev");
	printa("%s %@d\n", @a);
	setopt("aggsortrev", "false");
	name = "aggsort";
	setopt(strjoin(name, "key"), strjoin("ye", "s"));
	printa("%s %@d\n", @a);
	clear(@a);
	trace(1);
	setopt("quiet", "off");
	trace(2);
	setopt("quiet", "SET");
	setopt("strsize", "5");
	setopt("nosuch");
	setopt("aggsortpos", "many");
	setopt(strjoin("no", "such"), "9");
	setopt("quiet", "maybe");
	exit(0);
}
