/* demangle-java.h - methods of Java classes as people write them; see demangle.h. */
#pragma once

/*
 * A class, a method and its descriptor, as a virtual machine for Java names them (The Java Virtual
 * Machine Specification, 4.3), without what the method returns:
 *
 *   Ljava/lang/String;indexOf(I[JLa/B;)V    java.lang.String.indexOf(int, long[], a.B)
 *
 * To be freed; NULL if the name is not one.
 */
char *demangle_java(const char *name);
