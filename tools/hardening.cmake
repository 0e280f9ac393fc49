# Compiles and links everything with the flags of dpkg-buildflags for hardening=+all and two more, in
# every build, because dtrace runs as root and parses bytes that others made. A build with sanitizers,
# which only tests run, lacks two of these flags. tests/package/hardening.sh checks the binaries.
# docs/bench.md has the cost.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

# harden(FLAG...) adds each of the flags that this compiler supports for this machine.
function(harden)
	foreach(flag ${ARGN})
		string(MAKE_C_IDENTIFIER "has${flag}" has)
		set(CMAKE_REQUIRED_FLAGS "-Werror -Wformat") # -Wall includes -Wformat
		check_c_compiler_flag(${flag} ${has})
		if(${has})
			add_compile_options(${flag})
		endif()
	endforeach()
endfunction()

harden(-fstack-protector-strong -fstack-clash-protection -Werror=format-security)
# A variable without a value is 0, and not what an earlier function has left on the stack. Sanitizers
# report such variables.
if(NOT SANITIZE)
	harden(-ftrivial-auto-var-init=zero)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
	harden(-fcf-protection=full)
else()
	harden(-mbranch-protection=standard)
endif()

# The C library checks sizes only in code that is optimised.  AddressSanitizer checks every access,
# and does not know the functions that check sizes.
if(NOT SANITIZE AND NOT COVERAGE)
	set(CMAKE_REQUIRED_FLAGS "-Werror -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
	check_c_source_compiles("#include <stdio.h>\nint main(void) { return 0; }" HAS_FORTIFY_3)
	set(fortify $<IF:$<BOOL:${HAS_FORTIFY_3}>,3,2>)
	add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${fortify}>)
endif()

# Position-independent programs. The linker needs the flag only for dynamic programs: -static-pie
# covers the others. A program with sanitizers has 320,000 relocations. They take a fifth of its
# start time, and the tests start it some ten thousand times.
if(SANITIZE)
	add_compile_options(-fno-pie)
	add_link_options(-no-pie)
else()
	add_compile_options(-fPIE)
	if(NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-static")
		add_link_options(-pie)
	endif()
endif()
add_link_options(-Wl,-z,relro -Wl,-z,now)
