import * as z from 'zod'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { allowsCommand } from '@/lib/domain/host/allows-command'
import { providerConfigContent } from '@/lib/schemas/agent/provider-config'
import { type Encoded, encodedLines, trimmedEnd } from '@/lib/util/encode/encoded'
import { heredoc, sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { novaStartOf, restartStep } from '../host-steps/host-steps'
import type { HostTask } from '../host-steps/tasks'
import type { Step } from '../step'

const providerTraits = z
  .array(z.object({ provider: z.string(), traits: z.array(z.string()).readonly() }))
  .readonly()
  .nullable()

export const writeProviderConfigTaskSchema = z.object({
  kind: z.literal('write-provider-config'),
  host: z.string(),
  /** Of the console's own file. */
  path: z.string(),
  /** What the plan found in it, and what it is to hold; null: no file. */
  before: providerTraits,
  after: providerTraits,
  /** When the nova-compute that the plan found was started. */
  startedAt: z.string().nullable(),
})
export type WriteProviderConfigTask = z.infer<typeof writeProviderConfigTaskSchema>

export type ProviderConfigStep = Step<WriteProviderConfigTask | HostTask>

type Draft = { joined: JoinedHost } & Pick<WriteProviderConfigTask, 'path' | 'before' | 'after'>

const textOf = (entries: WriteProviderConfigTask['before']): string =>
  entries === null ? 'is not there' : `has ${formatNoun(entries.length, 'provider')}`

const commandFor = (
  { joined, path }: Draft,
  entries: WriteProviderConfigTask['before'],
): Encoded<'shell'> => {
  const location = shellArguments([joined.host.name, path])
  return entries === null
    ? sh`drop_provider_config ${location}`
    : heredoc(sh`put_provider_config ${location}`, trimmedEnd(providerConfigContent(entries)))
}

const writeStep = (draft: Draft): ProviderConfigStep => {
  const { joined, path, before, after } = draft
  const host = joined.host.name
  return {
    id: `write-provider-config/${host}`,
    title:
      after === null
        ? `Remove the provider config of ${host}`
        : `Write ${formatNoun(after.length, 'provider')} to the provider config of ${host}`,
    doer: allowsCommand(joined.host.inventory, 'write-provider-config') ? 'agent' : 'operator',
    calls:
      after === null
        ? [sh`rm -- ${shellWord(path)}`]
        : [shellWord(path), ...encodedLines(trimmedEnd(providerConfigContent(after)))],
    command: commandFor(draft, after),
    undoCommand: commandFor(draft, before),
    sees: `${path} ${textOf(before)}.`,
    precondition:
      'The console wrote the file, it is unchanged since planning, and no other file of its folder names one of the providers. Otherwise nova-compute would not start.',
    check: `The host's report has ${path} ${after === null ? 'removed' : 'with these providers and traits'}.`,
    undo: 'Restores the file to its state at planning. nova-compute is then restarted to read it.',
    task: { kind: 'write-provider-config', host, path, before, after, startedAt: novaStartOf(draft) },
  }
}

/** The console's own file on one host becomes `after`, and nova-compute reads it. */
export const providerConfigSteps = (draft: Draft): ProviderConfigStep[] => [
  restartStep(draft, { direction: 'back', what: 'provider config' }),
  writeStep(draft),
  restartStep(draft, { direction: 'on', what: 'provider config' }),
]
