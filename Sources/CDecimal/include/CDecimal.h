#ifndef CAIRN_DECIMAL_H
#define CAIRN_DECIMAL_H

#include <stdint.h>

/// An IEEE 754-2008 decimal128 number in the binary encoding (BID), the low word first: the sixteen
/// bytes as they are stored on a little-endian machine.
///
/// Whatever the words hold is a number, an infinity or a NaN. The functions below are those of Intel's
/// library (https://www.intel.com/content/www/us/en/developer/articles/tool/intel-decimal-floating-point-math-library.html,
/// Debian's libintelrdfpmath-dev), rounding to the nearest and ties to the even digit. None keeps state.
typedef struct {
    uint64_t low;
    uint64_t high;
} cairn_decimal;

cairn_decimal cairn_decimal_add(cairn_decimal left, cairn_decimal right);
cairn_decimal cairn_decimal_subtract(cairn_decimal left, cairn_decimal right);
cairn_decimal cairn_decimal_multiply(cairn_decimal left, cairn_decimal right);
cairn_decimal cairn_decimal_divide(cairn_decimal left, cairn_decimal right);

/// -1, 0 or 1 as `left` is less than, equal to or greater than `right`, by value: 1.0 equals 1.00, and
/// zero its negative. A NaN equals every NaN and is less than everything else.
int cairn_decimal_compare(cairn_decimal left, cairn_decimal right);

/// The number with the exponent of `pattern`, rounded; a NaN where that takes more than 34 digits.
cairn_decimal cairn_decimal_quantize(cairn_decimal number, cairn_decimal pattern);

/// The nearest double.
double cairn_decimal_to_double(cairn_decimal number);

/// The nearest number to a text of the form [+-]digits[E[+-]digits], with a null byte at its end.
///
/// At most 40 digits, and an exponent of at most 6 digits: the library writes behind its buffer when
/// it is given texts that are much longer.
cairn_decimal cairn_decimal_from_text(const char *_Nonnull text);

#endif
