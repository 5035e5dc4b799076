/* The same numbers by a table, from below, compiled by another compiler. */
long reference(int depth, int odd)
{
    long even[64] = { 1 }, odds[64] = { 2 };
    for (int d = 1; d <= depth; d++) {
        even[d] = odds[d - 1] + 2 * (d < 2 ? 1 : even[d - 2]) + d % 7;
        odds[d] = even[d - 1] + (d < 2 ? 2 : odds[d - 2]) + d % 5;
    }
    return odd ? odds[depth] : even[depth];
}
