import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { type AttackRun, isClosed, runAttacks } from './testing/hostile/attack-run'
import { uncoveredFields } from './testing/hostile/coverage'
import { agentRoots, hiddenStrings } from './testing/hostile/edge-schemas'
import { openSandbox } from './testing/hostile/sandbox'
import { createServiceOutputs } from './testing/hostile/service-outputs'
import { readStringFields } from './testing/hostile/string-fields'

const isLong = process.env.SLICEBOARD_LONG === '1'
/** Printed at the start of the run as the seed of all property tests. */
const SEED = fc.readConfigureGlobal()?.seed ?? 1

const folder = makeTemporaryDirectory('sliceboard-hostile-')
const services = createServiceOutputs()
afterAll(() => removeTree(folder))

describe('strings of hosts, tenants and OpenStack that attack every output', () => {
  let run: AttackRun
  beforeAll(async () => {
    run = await runAttacks({
      seed: SEED,
      sandbox: openSandbox(folder),
      services,
      share: isLong ? 1 : 40,
    })
  }, 600_000)

  test('change nothing but the text in which they appear', () => {
    expect(run.worlds).toBeGreaterThan(50)
    const effects = run.effects.map(({ output, what, field }) => `${output}: ${what} (${field})`)
    expect([...new Set(effects)].toSorted()).toEqual([])
  })

  test('appear in an output, from every field', () => {
    const counts = [...run.rendered].map(([field, count]) => `${String(count).padStart(6)} ${field}`)
    const closed = [...run.fields].filter(([, schemas]) => isClosed(schemas)).map(([field]) => field)
    process.stdout.write(
      `seed ${SEED}: ${run.worlds} clouds; appearances by field:\n${counts.toSorted().join('\n')}\n${closed.length} fields refuse every attack where it arrives:\n       ${closed.join('\n       ')}\n`,
    )
    expect(uncoveredFields(run)).toEqual([])
  })
})

test('every string of OpenStack’s clients is among the attacked fields', () => {
  expect(hiddenStrings()).toEqual([])
})

test('a new field without coverage is found', async () => {
  const roots = (await agentRoots()).map((root) =>
    root.name === 'samples'
      ? { ...root, schema: z.strictObject({ ...shapeOf(root.schema), note: z.string() }) }
      : root,
  )
  const { fields } = readStringFields(roots, { areParts: false })
  expect([...fields.keys()]).toContain('samples.note')
  expect(uncoveredFields({ fields, sent: new Map(), rendered: new Map() })).toContain(
    'samples.note: no cloud of the test has a value there',
  )
})

const shapeOf = (schema: object): Record<string, z.ZodMiniType> =>
  (schema as { _zod: { def: { shape: Record<string, z.ZodMiniType> } } })._zod.def.shape
