import * as z from 'zod'
import { http, httpPart } from '@/lib/util/encode/http'
import { sh, shellWord } from '@/lib/util/encode/shell'
import type { Step } from './step'

export const createTraitTaskSchema = z.object({ kind: z.literal('create-trait'), trait: z.string() })
export type CreateTraitTask = z.infer<typeof createTraitTaskSchema>

/** A step that creates a trait in Placement. Creating an existing one changes nothing. */
export const createTraitStep = (trait: string): Step<CreateTraitTask> => ({
  id: `create-trait/${trait}`,
  title: `Create the trait ${trait}`,
  doer: 'console',
  calls: [http`PUT /traits/${httpPart(trait)}`],
  command: sh`openstack trait create ${shellWord(trait)}`,
  undoCommand: sh`openstack trait delete ${shellWord(trait)} || printf '%s\\n' ${shellWord(`${trait} stays: a provider has it.`)}`,
  sees: `Placement may already have ${trait}.`,
  precondition: 'None: creating a trait that exists changes nothing.',
  check: `GET /traits lists ${trait}.`,
  undo: 'Deletes the trait if this change created it and no provider has it.',
  task: { kind: 'create-trait', trait },
})
