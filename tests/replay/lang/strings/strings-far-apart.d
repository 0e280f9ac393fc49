/* args: -r tests/pcap/empty.pcap -q -x checked -x strsize=2500 */
string g;
BEGIN { g = strjoin(g, "x"); }
BEGIN
{
	this->a = g; this->b = g; this->c = g; this->d = g; this->e = g; this->f = g; this->g = g; this->h = g;
	this->i = g; this->j = g; this->k = g; this->l = g; this->m = g; this->n = g; this->o = g; this->p = g;
	g = "y";
	this->p = g;
}
BEGIN { printf("%s %s %s %s %d\n", this->a, this->n, this->o, this->p, this->o == "x" && this->p == this->p); }
