import { it } from 'vitest'

/** For what only `npm run test:all` and `SLICEBOARD_LONG=1 npm run test:lab` try; docs/ci.md lists what tests it otherwise. */
export const inLongForm = it.skipIf(process.env.SLICEBOARD_LONG !== '1')
