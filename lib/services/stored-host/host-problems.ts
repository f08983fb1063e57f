import * as z from 'zod'

/** `host.problems`: what the agent could not read, and what the console adds itself, such as a clock that is off. */
export const hostProblemsSchema = z.array(
  z.object({ source: z.string(), code: z.string(), message: z.string() }),
)
