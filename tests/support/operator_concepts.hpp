// Whether operators are there for types: what must not compile is a value of these.
#pragma once

template<class A, class B>
concept subtractable = requires(A a, B b) { a - b; };
template<class A>
concept negatable = requires(A a) { -a; };
