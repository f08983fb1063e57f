/**
 * How an agent ended a command.
 * - `done`: it was carried out, now or before. `refused`: nothing was changed, `message` has the reason.
 * - `failed`: it was tried, and `message` has the progress. `interrupted`: the agent ended during it, so the result is
 *   unknown.
 */
export const COMMAND_OUTCOMES = ['done', 'refused', 'failed', 'interrupted'] as const
