/**
 * How an agent ended a command.
 * - `done`: it was carried out, or had been before. `refused`: nothing was changed, `message` has the reason.
 * - `failed`: it was tried, `message` says how far it got. `interrupted`: the agent ended during it, so the result is unknown.
 */
export const COMMAND_OUTCOMES = ['done', 'refused', 'failed', 'interrupted'] as const
