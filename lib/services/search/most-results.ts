/** Of each kind. */
export const MOST_RESULTS = 20
