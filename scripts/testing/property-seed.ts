import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Every property test of a run starts from this seed; a failure is repeated by setting it to the printed value. */
export const SEED_VARIABLE = 'SLICEBOARD_PROPERTY_SEED'

/** The one that CI runs each time, next to a random one. */
export const FIXED_SEED = '20261126'

export const randomSeed = (): string => String(randomInt(2 ** 31))

/** Files of the unit tests that contain property tests, relative to `root`. */
export const propertyTests = (root: string, folders: readonly string[]): string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && !/^lib\/(server|services)\//.test(file))
    .filter((file) => readFileSync(path.join(root, file), 'utf8').includes("from 'fast-check'"))
    .toSorted()
