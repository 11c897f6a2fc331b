/*
 * Random matches of Love Letter in plain C: the yardstick that `brelan bench` measures beside.
 *
 * Two players, the default knobs, matches to six tokens; both seats make any legal move by luck.
 * The game is dealt, played and scored, and nothing else is kept: not who saw which card, no rows
 * of cards played, no list of legal moves. A § is one of the rulebook.
 *
 *     cc -O3 -march=native -o yardstick yardstick.c
 *     ./yardstick BASE COUNT
 *
 * BASE is the luck from which that of all deals follows (`luck_of_seed`), COUNT how many matches
 * are played. Each deal is played once with each rotation of the seats, as `brelan sim` does. The
 * program draws the same numbers in the same order as the driver with random bots, so its matches
 * go the same way.
 *
 * It prints one line of JSON:
 *
 *     {"matches": 1, "rounds": 7, "decisions": 41, "cpu_seconds": 0.000004,
 *      "checksum": "0123456789abcdef"}
 *
 * `cpu_seconds` is the processor's time for all matches. `checksum` is the 64-bit FNV-1a of six
 * bytes for each match, in turn: the tokens of seats 0 and 1, whether each has won (1 or 0), the
 * number of decisions (low byte first).
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---------------------------------------------------------------- §1 cards */

/* The characters, by the value that is printed on the card. */
enum { SPY, GUARD, PRIEST, BARON, HANDMAID, PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS };

enum {
    SEATS = 2,
    PACK = 21,
    TUCKED = 4,  /* cards that two Chancellors can put under the deck */
    FACE_UP = 3, /* cards laid open beside the deck, which nobody gets */
    NAMES = 9,   /* characters a Guard may name: all but the Guard */
    TO_WIN = 6   /* tokens */
};

static const uint8_t pack[PACK] = {
    SPY, SPY, GUARD, GUARD, GUARD, GUARD, GUARD, GUARD, PRIEST, PRIEST, BARON, BARON, HANDMAID,
    HANDMAID, PRINCE, PRINCE, CHANCELLOR, CHANCELLOR, KING, COUNTESS, PRINCESS,
};

typedef struct {
    uint64_t luck, bot_luck; /* the streams that deal and draw lots, and of the random bots */

    /* the match */
    int tokens[SEATS], rounds, decisions;
    int starter; /* of the next round */
    bool won[SEATS];

    /* the round */
    uint8_t pile[PACK + TUCKED]; /* the deck lies from pile[top] to pile[bottom - 1] */
    int top, bottom, burned;
    int hand[SEATS]; /* the card each seat kept */
    bool in_round[SEATS], protected[SEATS];
    int sum[SEATS], spies[SEATS]; /* of the cards played and discarded */
} Match;

/* What becomes of the cards a Chancellor brings. */
typedef struct {
    int keep, first, last;
} Tuck;

/* ---------------------------------------------------------------- luck */

static const uint64_t GOLDEN_GAMMA = 0x9E3779B97F4A7C15;

/* Return 64 well mixed bits (splitmix64). */
static inline uint64_t splitmix64(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
}

/* Bring random bits into the range 0 to number - 1. */
static inline int scaled(uint64_t bits, int number)
{
    return (int)(((bits >> 32) * (uint64_t)number) >> 32);
}

/* Return a random number from 0 to number - 1. */
static inline int random_below(uint64_t *luck, int number)
{
    *luck += GOLDEN_GAMMA;
    return scaled(splitmix64(*luck), number);
}

/* Lay the pack on the pile and shuffle it: first draw all lots, for that can be done at once. */
static void shuffle_pack(Match *match)
{
    uint8_t *pile = match->pile;
    int others[PACK];
    for (int last = PACK - 1; last > 0; last--) {
        uint64_t bits = match->luck + (uint64_t)(PACK - last) * GOLDEN_GAMMA;
        others[last] = scaled(splitmix64(bits), last + 1);
    }
    match->luck += (PACK - 1) * GOLDEN_GAMMA;
    memcpy(pile, pack, PACK);
    for (int last = PACK - 1; last > 0; last--) {
        uint8_t card = pile[last];
        pile[last] = pile[others[last]];
        pile[others[last]] = card;
    }
}

/* A seat decides: return the number of one of its moves, by luck even if there is but one. */
static inline int decide(Match *match, int moves)
{
    match->decisions++;
    return random_below(&match->bot_luck, moves);
}

/* ---------------------------------------------------------------- §3 setting up */

static inline int deck_size(const Match *match)
{
    return match->bottom - match->top;
}

static inline int draw(Match *match)
{
    return match->pile[match->top++];
}

static inline void put_under(Match *match, int card)
{
    match->pile[match->bottom++] = (uint8_t)card;
}

/* §3 A card to each player, one burned, three face up; the rest is the deck. */
static void deal_round(Match *match)
{
    shuffle_pack(match);
    match->top = 0;
    match->bottom = PACK;
    for (int seat = 0; seat < SEATS; seat++) {
        match->hand[seat] = draw(match);
        match->in_round[seat] = true;
        match->protected[seat] = false;
        match->sum[seat] = 0;
        match->spies[seat] = 0;
    }
    match->burned = draw(match);
    match->top += FACE_UP;
}

/* ---------------------------------------------------------------- §4 the effects of the cards */

/* A card comes to lie face up in front of a player. */
static inline void lay_down(Match *match, int seat, int card)
{
    match->sum[seat] += card;
    match->spies[seat] += card == SPY;
}

/* Baron: the lower card is out. */
static void compare_hands(Match *match, int me, int other)
{
    if (match->hand[me] > match->hand[other])
        match->in_round[other] = false;
    else if (match->hand[me] < match->hand[other])
        match->in_round[me] = false;
}

/* Prince: discard the card without effect and draw, from the deck or the burned card. */
static void discard_and_draw(Match *match, int target)
{
    int card = match->hand[target];
    lay_down(match, target, card);
    if (card == PRINCESS)
        match->in_round[target] = false;
    else
        match->hand[target] = deck_size(match) > 0 ? draw(match) : match->burned;
}

/* King: the two hands change places. */
static void swap_hands(Match *match)
{
    int card = match->hand[0];
    match->hand[0] = match->hand[1];
    match->hand[1] = card;
}

/* §4.2 Write down once a way to keep a card and put one or two under the deck, in this order. */
static int add_tuck(Tuck *tucks, int ways, int keep, int first, int last)
{
    for (int way = 0; way < ways; way++)
        if (tucks[way].keep == keep && tucks[way].first == first)
            return ways;
    tucks[ways] = (Tuck){keep, first, last};
    return ways + 1;
}

/* §4.2 Chancellor: draw two cards, or what the deck has; keep one, the others go under it. */
static void consult_chancellor(Match *match, int me)
{
    int drawn = deck_size(match) < 2 ? deck_size(match) : 2;
    if (drawn == 0)
        return;
    int cards[3] = {match->hand[me]};
    for (int slot = 1; slot <= drawn; slot++)
        cards[slot] = draw(match);
    Tuck tucks[6] = {{0}};
    int ways = 0;
    for (int keep = 0; keep <= drawn; keep++)
        for (int first = 0; first <= drawn; first++)
            if (first != keep)
                ways = add_tuck(tucks, ways, cards[keep], cards[first], cards[3 - keep - first]);
    Tuck tuck = tucks[decide(match, ways)];
    match->hand[me] = tuck.keep;
    put_under(match, tuck.first);
    if (drawn == 2)
        put_under(match, tuck.last);
}

/* ---------------------------------------------------------------- §4 the turn */

/* §4.1 In how many ways a card can be played; `shielded`: the other player is protected. */
static inline int count_ways(int card, bool shielded)
{
    return shielded ? 1 : card == GUARD ? NAMES : card == PRINCE ? SEATS : 1;
}

/* §4 The Countess must be played if the other card is the King or a Prince. */
static inline bool must_play_countess(int low, int high)
{
    return high == COUNTESS && (low == KING || low == PRINCE);
}

/* §4 The effect of a card played in one of its ways: the names upwards, or seats 0 and 1. */
static void resolve(Match *match, int me, int card, int way, bool shielded)
{
    int other = 1 - me;
    if (card == HANDMAID)
        match->protected[me] = true;
    else if (card == PRINCE)
        discard_and_draw(match, shielded ? me : way);
    else if (card == CHANCELLOR)
        consult_chancellor(match, me);
    else if (card == PRINCESS)
        match->in_round[me] = false;
    else if (!shielded && card == GUARD)
        match->in_round[other] = match->hand[other] != (way < GUARD ? way : way + 1);
    else if (!shielded && card == BARON)
        compare_hands(match, me, other);
    else if (!shielded && card == KING)
        swap_hands(match);
}

/* §4 Protection ends, the player draws and plays one of two cards: the lower one's moves first. */
static void take_turn(Match *match, int me)
{
    match->protected[me] = false;
    bool shielded = match->protected[1 - me];
    int drawn = draw(match), kept = match->hand[me];
    int low = drawn < kept ? drawn : kept;
    int high = drawn < kept ? kept : drawn;
    bool only_high = low == high || must_play_countess(low, high);
    int low_ways = only_high ? 0 : count_ways(low, shielded);
    int way = decide(match, low_ways + count_ways(high, shielded));
    bool is_low = way < low_ways;
    int card = is_low ? low : high;
    match->hand[me] = is_low ? high : low;
    lay_down(match, me, card);
    resolve(match, me, card, is_low ? way : way - low_ways, shielded);
}

/* §4 The seats play in turn until one is out or the deck is empty. */
static void play_round(Match *match)
{
    deal_round(match);
    int seat = match->starter;
    do {
        take_turn(match, seat);
        seat = 1 - seat;
    } while (match->in_round[0] && match->in_round[1] && deck_size(match) > 0);
    match->rounds++;
}

/* ---------------------------------------------------------------- §7, §8 the score */

/* §7.1 How far seat 0 is ahead: who is in the round, then the card, then the sum of the cards. */
static int lead(const Match *match)
{
    if (match->in_round[0] != match->in_round[1])
        return match->in_round[0] - match->in_round[1];
    if (match->hand[0] != match->hand[1])
        return match->hand[0] - match->hand[1];
    return match->sum[0] - match->sum[1];
}

/* §7.2 A token to each winner, §7.3 one for the only Spy; §7.4 a winner starts the next round. */
static void score_round(Match *match)
{
    int ahead = lead(match);
    int lot = random_below(&match->luck, ahead == 0 ? 2 : 1); /* drawn even if it is of one */
    match->starter = ahead == 0 ? lot : ahead < 0;
    match->tokens[0] += ahead >= 0;
    match->tokens[1] += ahead <= 0;
    int spies_0 = match->in_round[0] ? match->spies[0] : 0;
    int spies_1 = match->in_round[1] ? match->spies[1] : 0;
    if (spies_0 + spies_1 == 1)
        match->tokens[spies_1]++;
}

/* §8 Play rounds until somebody has six tokens; both may win. */
static void play_match(Match *match, uint64_t luck, uint64_t bot_luck)
{
    memset(match, 0, sizeof *match);
    match->luck = luck;
    match->bot_luck = bot_luck;
    match->starter = random_below(&match->luck, SEATS);
    do {
        play_round(match);
        score_round(match);
        for (int seat = 0; seat < SEATS; seat++)
            match->won[seat] = match->tokens[seat] >= TO_WIN;
    } while (!match->won[0] && !match->won[1]);
}

/* ---------------------------------------------------------------- many matches */

/* Return the luck of a deal: all of its matches begin with it. */
static uint64_t luck_of_deal(uint64_t base, uint64_t deal)
{
    return splitmix64(base + GOLDEN_GAMMA * (deal + 1));
}

/* Return the luck of the bots in a match of a deal: another one in each rotation. */
static uint64_t luck_of_bots(uint64_t luck, uint64_t rotation)
{
    return splitmix64(~luck + GOLDEN_GAMMA * rotation);
}

/* Add a match to an FNV-1a checksum. */
static uint64_t add_to_checksum(uint64_t checksum, const Match *match)
{
    const int bytes[] = {match->tokens[0], match->tokens[1],       match->won[0],
                         match->won[1],    match->decisions & 255, match->decisions >> 8};
    for (int place = 0; place < 6; place++)
        checksum = (checksum ^ (uint64_t)bytes[place]) * 0x100000001B3;
    return checksum;
}

static void play_matches(uint64_t base, uint64_t count)
{
    long long rounds = 0, decisions = 0;
    uint64_t checksum = 0xCBF29CE484222325;
    clock_t begun = clock();
    for (uint64_t number = 0; number < count; number++) {
        Match match;
        uint64_t luck = luck_of_deal(base, number / SEATS);
        play_match(&match, luck, luck_of_bots(luck, number % SEATS));
        rounds += match.rounds;
        decisions += match.decisions;
        checksum = add_to_checksum(checksum, &match);
    }
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    printf("{\"matches\": %llu, \"rounds\": %lld, \"decisions\": %lld, \"cpu_seconds\": %.6f, "
           "\"checksum\": \"%016llx\"}\n",
           (unsigned long long)count, rounds, decisions, seconds, (unsigned long long)checksum);
}

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "usage: yardstick BASE COUNT\n");
        return 2;
    }
    play_matches(strtoull(words[1], NULL, 0), strtoull(words[2], NULL, 0));
    return 0;
}
