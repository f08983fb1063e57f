import type { StepTask } from '@/lib/domain/plans/types'
import type { StepState } from '@/lib/schemas/states'
import { anyRow } from '@/lib/server/testing/any-row'
import { mdevsOf } from '../mdevs-of'
import { RACE_HOST, RACK_TRAIT, type RaceWorld } from './race-world'
import type { TraitLedger } from './trait-ledger'

const STEPS = `
SELECT position, state, body->'task' AS task FROM change_step WHERE change_id = $1 ORDER BY position`

const ORDERED = `
SELECT command->>'uuid' AS uuid FROM agent_command k JOIN host h ON h.id = k.host_id
WHERE h.name = $1 AND k.state IN ('queued', 'delivered') AND command->>'name' = 'remove-mdev'`

type Row = { position: number; state: StepState; task: StepTask }

/** Traits that a provider must have when a step is settled; null: the step has no effect on them. */
const promised = ({ state, task }: Row): { name: string; traits: string[] } | null => {
  if (task.kind === 'set-traits' && state === 'done') return { name: task.providerName, traits: [task.trait] }
  if (task.kind !== 'move-traits') return null
  const isExpected = state === (task.direction === 'on' ? 'done' : 'undone')
  return isExpected ? { name: task.provider.name, traits: [...task.traits, RACK_TRAIT] } : null
}

/**
 * Checks a running change for what must never happen: an mdev that is removed although a guest uses it or no one
 * ordered it, and a lost trait.
 */
export const watchRace = (world: RaceWorld, { ledger, id }: { ledger: TraitLedger; id: number }) => {
  const violations: string[] = []
  const states = new Map<number, StepState>()
  let before: { mdevs: Set<string>; ordered: Set<string> } | null = null
  const mdevs = () => {
    world.host().applyWrites()
    return new Set(Object.keys(mdevsOf([world.host()])))
  }

  const removed = () => {
    const now = mdevs()
    for (const { name, mdevs: held } of world.host().spec().guests)
      for (const uuid of held)
        if (!now.has(`${uuid} active`))
          violations.push(`mdev ${uuid} is gone, and the guest ${name} holds it`)
    for (const key of before?.mdevs ?? [])
      if (!now.has(key) && before?.ordered.has(key.split(' ')[0] ?? '') === false)
        violations.push(`mdev ${key} is gone, and no current command removed it`)
    before = null
  }

  const settled = async () => {
    for (const row of await world.ctx().database.query(STEPS, [id], anyRow<Row>())) {
      const isNew = states.get(row.position) !== row.state
      states.set(row.position, row.state)
      const expected = isNew ? promised(row) : null
      // Re-created since then: the step was right when it was settled.
      const provider = expected === null ? null : ledger.current(expected.name)
      if (expected === null || provider === null) continue
      const missing = expected.traits.filter((trait) => !provider.traits.has(trait))
      if (missing.length > 0)
        violations.push(
          `step ${row.position + 1} is ${row.state}, and ${expected.name} lacks ${missing.join(', ')}`,
        )
      ledger.note(
        expected.name,
        expected.traits.filter((trait) => trait === RACK_TRAIT),
      )
    }
  }

  return {
    violations,
    look: async () => {
      removed()
      violations.push(...ledger.lost())
      await settled()
    },
    /** An agent fetches commands: it may get only those that are ordered now. */
    beforeFetch: async () => {
      const rows = await world.ctx().database.query(ORDERED, [RACE_HOST], anyRow<{ uuid: string }>())
      before = { mdevs: mdevs(), ordered: new Set(rows.map(({ uuid }) => uuid)) }
    },
  }
}
