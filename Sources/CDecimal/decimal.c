#include "CDecimal.h"

// How the archive bidgcc000 is built: arguments by value, the rounding mode and the flags passed to
// each call.
#define DECIMAL_CALL_BY_REFERENCE 0
#define DECIMAL_GLOBAL_ROUNDING 0
#define DECIMAL_GLOBAL_EXCEPTION_FLAGS 0
#include <bid_conf.h>
#include <bid_functions.h>

static BID_UINT128 to_library(cairn_decimal number) {
    return (BID_UINT128){.w = {number.low, number.high}};
}

static cairn_decimal from_library(BID_UINT128 number) {
    return (cairn_decimal){.low = number.w[0], .high = number.w[1]};
}

cairn_decimal cairn_decimal_add(cairn_decimal left, cairn_decimal right) {
    _IDEC_flags flags = 0;
    return from_library(bid128_add(to_library(left), to_library(right), BID_ROUNDING_TO_NEAREST, &flags));
}

cairn_decimal cairn_decimal_subtract(cairn_decimal left, cairn_decimal right) {
    _IDEC_flags flags = 0;
    return from_library(bid128_sub(to_library(left), to_library(right), BID_ROUNDING_TO_NEAREST, &flags));
}

cairn_decimal cairn_decimal_multiply(cairn_decimal left, cairn_decimal right) {
    _IDEC_flags flags = 0;
    return from_library(bid128_mul(to_library(left), to_library(right), BID_ROUNDING_TO_NEAREST, &flags));
}

cairn_decimal cairn_decimal_divide(cairn_decimal left, cairn_decimal right) {
    _IDEC_flags flags = 0;
    return from_library(bid128_div(to_library(left), to_library(right), BID_ROUNDING_TO_NEAREST, &flags));
}

int cairn_decimal_compare(cairn_decimal left, cairn_decimal right) {
    _IDEC_flags flags = 0;
    BID_UINT128 x = to_library(left), y = to_library(right);
    if (bid128_quiet_less(x, y, &flags)) return -1;
    if (bid128_quiet_greater(x, y, &flags)) return 1;
    return (bid128_isNaN(y) != 0) - (bid128_isNaN(x) != 0);
}

cairn_decimal cairn_decimal_quantize(cairn_decimal number, cairn_decimal pattern) {
    _IDEC_flags flags = 0;
    return from_library(
        bid128_quantize(to_library(number), to_library(pattern), BID_ROUNDING_TO_NEAREST, &flags));
}

double cairn_decimal_to_double(cairn_decimal number) {
    _IDEC_flags flags = 0;
    return bid128_to_binary64(to_library(number), BID_ROUNDING_TO_NEAREST, &flags);
}

cairn_decimal cairn_decimal_from_text(const char *text) {
    _IDEC_flags flags = 0;
    // The library does not write to the text; its declaration is older than const.
    return from_library(bid128_from_string((char *)text, BID_ROUNDING_TO_NEAREST, &flags));
}
