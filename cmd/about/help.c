/* help.c - prints the usage, help and version. */
#include "cmd/about/help.h"

static void options(FILE *to)
{
	fputs("Usage: dtrace [-32|-64] [-CeFGhHlOqSvVwZ] [-b bufsz] [-c cmd]\n"
	      "\t[-D name[=def]] [-I path] [-L libpath] [-o output] [-p pid]\n"
	      "\t[-r capture] [-s script] [-U name] [-x opt[=val]] [-X a|c|s|t]\n"
	      "\t[-P provider [[ predicate ] action ]]\n"
	      "\t[-m [ provider: ] module [[ predicate ] action ]]\n"
	      "\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
	      "\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]\n"
	      "\t[-i probe-id [[ predicate ] action ]] [ args ... ]\n\n"
	      "\tpredicate -> '/' D-expression '/'\n"
	      "\t   action -> '{' D-statements '}'\n\n"
	      "\t-b  set trace buffer size\n"
	      "\t-c  run specified command and exit upon its completion\n"
	      "\t-C  run cpp(1) preprocessor on script files\n"
	      "\t-D  define symbol when invoking preprocessor\n"
	      "\t-e  exit after compiling request but prior to enabling probes\n"
	      "\t-f  enable or list probes matching the specified function name\n"
	      "\t-F  coalesce trace output by function\n"
	      "\t-G  generate an object for static probes (by systemtap's dtrace)\n"
	      "\t-h  generate a header for static probes (by systemtap's dtrace)\n"
	      "\t-H  print included files when invoking preprocessor\n"
	      "\t-i  enable or list probes matching the specified probe id\n"
	      "\t-I  add include directory to preprocessor search path\n"
	      "\t-l  list probes matching specified criteria\n"
	      "\t-L  add library directory to library search path\n"
	      "\t-m  enable or list probes matching the specified module name\n"
	      "\t-n  enable or list probes matching the specified probe name\n"
	      "\t-o  set output file\n"
	      "\t-O  with --libxo, print aggregations at the end, too\n"
	      "\t-p  grab specified process-ID and exit when it does\n"
	      "\t-P  enable or list probes matching the specified provider name\n"
	      "\t-q  set quiet mode (only output explicitly traced data)\n"
	      "\t-r  read packets from a capture file ('-': stdin) or a network interface\n"
	      "\t-s  enable or list probes according to the specified D script\n"
	      "\t-S  print the compiled code\n"
	      "\t-U  undefine symbol when invoking preprocessor\n"
	      "\t-v  set verbose mode (report stability attributes, arguments)\n"
	      "\t-V  report DTrace API version\n"
	      "\t-w  permit destructive actions\n"
	      "\t-x  enable or modify compiler and tracing options\n"
	      "\t-X  specify ISO C conformance settings for preprocessor\n"
	      "\t-Z  permit probe descriptions that match zero probes\n\n"
	      "\t--check script        report which clauses of a script run here\n"
	      "\t--diff before after   compare two files of -x aggout\n"
	      "\t--help                print this text with examples\n"
	      "\t--libxo form          print json, xml, html or text as libxo does\n"
	      "\t--merge file ...      show files of -x aggout as one run\n"
	      "\t--scripts [word]      list the scripts that are installed\n"
	      "\t--test dir            run scripts and compare their output with files\n"
	      "\t--version             print the version and the license\n",
	      to);
}

void usage(FILE *to)
{
	options(to);
	fputs("\n\tdtrace --help has examples, dtrace --scripts lists ready-made scripts.\n", to);
}

void help(FILE *to)
{
	options(to);
	fputs("\nExamples:\n\n"
	      "Count the packets of a capture file by destination (needs no root):\n"
	      "    dtrace -r capture.pcap -n 'ip:::send { @[args[2]->ip_daddr] = count(); }'\n"
	      "Count the packets of this machine, until Ctrl-C (live tracing needs root):\n"
	      "    dtrace -n 'ip:::send { @[args[2]->ip_daddr] = count(); }'\n"
	      "Count accepted TCP connections by program and port:\n"
	      "    dtrace -n 'tcp:::accept-established\n"
	      "        { @[args[1]->cs_execname, args[3]->tcps_lport] = count(); }'\n"
	      "Show a probe and the types of its arguments, or list the probes of providers:\n"
	      "    dtrace -lvn tcp:::send\n"
	      "    dtrace -l -P tcp -P ip -P udp\n"
	      "List ready-made scripts, explain one, run it:\n"
	      "    dtrace --scripts\n"
	      "    dtrace tcplife --help\n"
	      "    dtrace tcplife\n"
	      "Check which clauses of a script work on this machine:\n"
	      "    dtrace --check script.d\n"
	      "\nManual: man 8 dtrace (all options, and those of -x), man 7 d (the language).\n",
	      to);
}

void version(FILE *to, bool all)
{
	fputs("dtrace: Sun D 1.13\n", to);
	if (all)
		fputs("dtrace for Linux networks " DTRACE_VERSION "\nLicense: BSD-2-Clause\n", to);
}
