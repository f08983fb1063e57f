import { rmSync } from 'node:fs'
import { afterAll } from 'vitest'
import type { CommandName } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { advanceChange } from '@/lib/services/change/advance-change'
import { createChangeTools } from '@/lib/services/change/change-tools'
import { createChange } from '@/lib/services/change/create-change'
import { getChange } from '@/lib/services/change/get-change'
import { createTestAgents } from '@/lib/services/change/testing/test-agents'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { labHosts, treeOf } from './lab-cloud'
import { createLabConsole } from './lab-console'

const ALLOWED: readonly CommandName[] = [
  'remove-mdev',
  'create-mdev',
  'write-nova-config',
  'write-provider-config',
  'restart-nova-compute',
]

const LIMIT_MS = 400_000

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The state of a change, for the message of a failing test. */
const statusText = ({ state, stopReason, steps }: ChangeDetail): string =>
  [
    `${state}: ${stopReason ?? ''}`,
    ...steps.map(
      (step) => `${step.state} ${step.isUndo ? 'undo ' : ''}${step.title}: ${step.note ?? step.answer ?? ''}`,
    ),
  ].join('\n')

/**
 * Changes of a console on the lab: planned and run by the services over real Nova and Placement, its commands carried out by
 * the agent's own desk in the hosts' trees.
 */
export const createLabChanges = ({ isAdmin = false }: { isAdmin?: boolean } = {}) => {
  const lab = createLabConsole({ allow: ALLOWED, isAdmin })
  const folder = makeTemporaryDirectory('sliceboard-lab-agents-')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const { database, now, context } = lab
  const box = createSecretBox(['a secret of tests that seals nothing real'])
  const signer = () => createCommandSigner({ database: database(), box, now })

  const agents = createTestAgents({
    database,
    signer,
    hosts: () => labHosts().map((name) => ({ name, root: treeOf(name), applyWrites: () => 0 })),
    cloudId: () => lab.cloud().id,
    allow: ALLOWED,
    folder,
    now,
    report: lab.report,
    tick: () => undefined,
    seams: { patienceMs: 240_000, pause: () => sleep(100) },
  })

  const again = (id: number): Promise<ChangeDetail> => getChange(context(), { id })

  /** Turns until the change is over; `byHand` does what its current step waits for. */
  const follow = async (id: number, byHand: (step: ChangeStep) => Promise<void>): Promise<void> => {
    const toolsOf = createChangeTools({ ctx: context({ kind: 'system' }), accounts: [lab.account()] })
    // Its hosts report when a step has waited, which may be long after their last report.
    const input = { database: database(), now, toolsOf, signer: signer(), silentAfterSeconds: 10 ** 9 }
    const end = Date.now() + LIMIT_MS
    while (Date.now() < end) {
      const advance = await advanceChange(input, id)
      if (advance === 'over') return
      if (advance === 'moved' || (await agents.serve())) continue
      const step = (await again(id)).steps.find(({ state }) => state === 'blocked' || state === 'waiting')
      if (step !== undefined) await byHand(step)
      await lab.report()
      await sleep(500)
    }
    throw new Error(`Change ${id} does not come to an end.\n${statusText(await again(id))}`)
  }

  return {
    ...lab,
    plan: (change: PlanChange): Promise<ChangeDetail> => createChange(context(), change),
    /** Starts a change or takes it back, and follows it to its end. */
    run: async (
      id: number,
      {
        action,
        state,
        byHand = async () => undefined,
      }: {
        action: 'start' | 'roll-back'
        state: ChangeDetail['state']
        byHand?: (step: ChangeStep) => Promise<void>
      },
    ): Promise<ChangeDetail> => {
      // Agents report all the time; what happened since their last report must not look undone.
      await lab.report()
      const { version } = await again(id)
      await actOnChange(context(), {
        id,
        body: { action, version, ...(action === 'start' ? { isByHand: false } : {}) },
      })
      await follow(id, byHand)
      const ended = await again(id)
      if (ended.state !== state) throw new Error(statusText(ended))
      return ended
    },
  }
}
