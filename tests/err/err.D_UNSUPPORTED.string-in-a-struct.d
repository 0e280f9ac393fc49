struct who {
	int n;
	string name;
};
struct who w;
BEGIN
{
	w.name = "alice";
}
