import { SEED_VARIABLE } from './property-seed'

/** Vitest's global setup: prints how to repeat the run's property tests. */
export const setup = (): void => {
  process.stdout.write(`Property tests: ${SEED_VARIABLE}=${process.env[SEED_VARIABLE]}\n`)
}
