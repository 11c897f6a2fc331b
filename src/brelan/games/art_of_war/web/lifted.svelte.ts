/** Which of several equal cards of the hand was taken, by kind: moves do not tell them apart. */
export const lifted = $state<{ copies: Record<string, number> }>({ copies: {} });
