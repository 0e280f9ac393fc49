/* args: -q */
/* A program may have any number of keyed aggregations at one probe. */
BEGIN
{
	@a1["k", 1] = sum(1);
	@a2["k", 2] = sum(2);
	@a3["k", 3] = sum(3);
	@a4["k", 4] = sum(4);
	@a5["k", 5] = sum(5);
	@a6["k", 6] = sum(6);
	@a7["k", 7] = sum(7);
	@a8["k", 8] = sum(8);
	@a9["k", 9] = sum(9);
	@a10["k", 10] = sum(10);
	@a11["k", 11] = sum(11);
	@a12["k", 12] = sum(12);
	@a13["k", 13] = sum(13);
	@a14["k", 14] = sum(14);
	@a15["k", 15] = sum(15);
	@a16["k", 16] = sum(16);
	@a17["k", 17] = sum(17);
	@a18["k", 18] = sum(18);
	@a19["k", 19] = sum(19);
	@a20["k", 20] = sum(20);
	@a21["k", 21] = sum(21);
	@a22["k", 22] = sum(22);
	@a23["k", 23] = sum(23);
	@a24["k", 24] = sum(24);
	@a25["k", 25] = sum(25);
	@a26["k", 26] = sum(26);
	@a27["k", 27] = sum(27);
	@a28["k", 28] = sum(28);
	@a29["k", 29] = sum(29);
	@a30["k", 30] = sum(30);
	@a31["k", 31] = sum(31);
	@a32["k", 32] = sum(32);
	@a33["k", 33] = sum(33);
	@a34["k", 34] = sum(34);
	@a35["k", 35] = sum(35);
	@a36["k", 36] = sum(36);
	@a37["k", 37] = sum(37);
	@a38["k", 38] = sum(38);
	@a39["k", 39] = sum(39);
	@a40["k", 40] = sum(40);
	@a41["k", 41] = sum(41);
	@a42["k", 42] = sum(42);
	@a43["k", 43] = sum(43);
	@a44["k", 44] = sum(44);
	@a45["k", 45] = sum(45);
	@a46["k", 46] = sum(46);
	@a47["k", 47] = sum(47);
	@a48["k", 48] = sum(48);
	@a49["k", 49] = sum(49);
	@a50["k", 50] = sum(50);
	@a51["k", 51] = sum(51);
	@a52["k", 52] = sum(52);
	@a53["k", 53] = sum(53);
	@a54["k", 54] = sum(54);
	@a55["k", 55] = sum(55);
	@a56["k", 56] = sum(56);
	@a57["k", 57] = sum(57);
	@a58["k", 58] = sum(58);
	@a59["k", 59] = sum(59);
	@a60["k", 60] = sum(60);
	@a61["k", 61] = sum(61);
	@a62["k", 62] = sum(62);
	@a63["k", 63] = sum(63);
	@a64["k", 64] = sum(64);
	@a65["k", 65] = sum(65);
	@a66["k", 66] = sum(66);
	@a67["k", 67] = sum(67);
	@a68["k", 68] = sum(68);
	@a69["k", 69] = sum(69);
	@a70["k", 70] = sum(70);
	@a71["k", 71] = sum(71);
	@a72["k", 72] = sum(72);
	@a73["k", 73] = sum(73);
	@a74["k", 74] = sum(74);
	@a75["k", 75] = sum(75);
	@a76["k", 76] = sum(76);
	@a77["k", 77] = sum(77);
	@a78["k", 78] = sum(78);
	@a79["k", 79] = sum(79);
	@a80["k", 80] = sum(80);
	@a81["k", 81] = sum(81);
	@a82["k", 82] = sum(82);
	@a83["k", 83] = sum(83);
	@a84["k", 84] = sum(84);
	@a85["k", 85] = sum(85);
	@a86["k", 86] = sum(86);
	@a87["k", 87] = sum(87);
	@a88["k", 88] = sum(88);
	@a89["k", 89] = sum(89);
	@a90["k", 90] = sum(90);
	@a91["k", 91] = sum(91);
	@a92["k", 92] = sum(92);
	@a93["k", 93] = sum(93);
	@a94["k", 94] = sum(94);
	@a95["k", 95] = sum(95);
	@a96["k", 96] = sum(96);
	@a97["k", 97] = sum(97);
	@a98["k", 98] = sum(98);
	@a99["k", 99] = sum(99);
	@a100["k", 100] = sum(100);
	exit(0);
}
END { printa("%s %d %@d\n", @a1); }
END { printa("%s %d %@d\n", @a50); }
END { printa("%s %d %@d\n", @a100); }
END { clear(@a2); trunc(@a2); }
END { clear(@a3); trunc(@a3); }
END { clear(@a4); trunc(@a4); }
END { clear(@a5); trunc(@a5); }
END { clear(@a6); trunc(@a6); }
END { clear(@a7); trunc(@a7); }
END { clear(@a8); trunc(@a8); }
END { clear(@a9); trunc(@a9); }
END { clear(@a10); trunc(@a10); }
END { clear(@a11); trunc(@a11); }
END { clear(@a12); trunc(@a12); }
END { clear(@a13); trunc(@a13); }
END { clear(@a14); trunc(@a14); }
END { clear(@a15); trunc(@a15); }
END { clear(@a16); trunc(@a16); }
END { clear(@a17); trunc(@a17); }
END { clear(@a18); trunc(@a18); }
END { clear(@a19); trunc(@a19); }
END { clear(@a20); trunc(@a20); }
END { clear(@a21); trunc(@a21); }
END { clear(@a22); trunc(@a22); }
END { clear(@a23); trunc(@a23); }
END { clear(@a24); trunc(@a24); }
END { clear(@a25); trunc(@a25); }
END { clear(@a26); trunc(@a26); }
END { clear(@a27); trunc(@a27); }
END { clear(@a28); trunc(@a28); }
END { clear(@a29); trunc(@a29); }
END { clear(@a30); trunc(@a30); }
END { clear(@a31); trunc(@a31); }
END { clear(@a32); trunc(@a32); }
END { clear(@a33); trunc(@a33); }
END { clear(@a34); trunc(@a34); }
END { clear(@a35); trunc(@a35); }
END { clear(@a36); trunc(@a36); }
END { clear(@a37); trunc(@a37); }
END { clear(@a38); trunc(@a38); }
END { clear(@a39); trunc(@a39); }
END { clear(@a40); trunc(@a40); }
END { clear(@a41); trunc(@a41); }
END { clear(@a42); trunc(@a42); }
END { clear(@a43); trunc(@a43); }
END { clear(@a44); trunc(@a44); }
END { clear(@a45); trunc(@a45); }
END { clear(@a46); trunc(@a46); }
END { clear(@a47); trunc(@a47); }
END { clear(@a48); trunc(@a48); }
END { clear(@a49); trunc(@a49); }
END { clear(@a51); trunc(@a51); }
END { clear(@a52); trunc(@a52); }
END { clear(@a53); trunc(@a53); }
END { clear(@a54); trunc(@a54); }
END { clear(@a55); trunc(@a55); }
END { clear(@a56); trunc(@a56); }
END { clear(@a57); trunc(@a57); }
END { clear(@a58); trunc(@a58); }
END { clear(@a59); trunc(@a59); }
END { clear(@a60); trunc(@a60); }
END { clear(@a61); trunc(@a61); }
END { clear(@a62); trunc(@a62); }
END { clear(@a63); trunc(@a63); }
END { clear(@a64); trunc(@a64); }
END { clear(@a65); trunc(@a65); }
END { clear(@a66); trunc(@a66); }
END { clear(@a67); trunc(@a67); }
END { clear(@a68); trunc(@a68); }
END { clear(@a69); trunc(@a69); }
END { clear(@a70); trunc(@a70); }
END { clear(@a71); trunc(@a71); }
END { clear(@a72); trunc(@a72); }
END { clear(@a73); trunc(@a73); }
END { clear(@a74); trunc(@a74); }
END { clear(@a75); trunc(@a75); }
END { clear(@a76); trunc(@a76); }
END { clear(@a77); trunc(@a77); }
END { clear(@a78); trunc(@a78); }
END { clear(@a79); trunc(@a79); }
END { clear(@a80); trunc(@a80); }
END { clear(@a81); trunc(@a81); }
END { clear(@a82); trunc(@a82); }
END { clear(@a83); trunc(@a83); }
END { clear(@a84); trunc(@a84); }
END { clear(@a85); trunc(@a85); }
END { clear(@a86); trunc(@a86); }
END { clear(@a87); trunc(@a87); }
END { clear(@a88); trunc(@a88); }
END { clear(@a89); trunc(@a89); }
END { clear(@a90); trunc(@a90); }
END { clear(@a91); trunc(@a91); }
END { clear(@a92); trunc(@a92); }
END { clear(@a93); trunc(@a93); }
END { clear(@a94); trunc(@a94); }
END { clear(@a95); trunc(@a95); }
END { clear(@a96); trunc(@a96); }
END { clear(@a97); trunc(@a97); }
END { clear(@a98); trunc(@a98); }
END { clear(@a99); trunc(@a99); }
