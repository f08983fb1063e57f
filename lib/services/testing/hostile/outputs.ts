import { ownServers } from '@/lib/domain/catalog/own-servers'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import {
  heatTemplate,
  openstackCommand,
  type ServerSpec,
  terraformServer,
} from '@/lib/domain/create-server/server-texts'
import { detectCloudFindings } from '@/lib/domain/findings/cloud/registry'
import type { Finding } from '@/lib/domain/findings/finding'
import { renderMarkdownRunbook, renderShellRunbook } from '@/lib/domain/plans/runbook/render-runbook'
import { jsonMessage } from '@/lib/domain/webhook/json-message'
import { slackMessage } from '@/lib/domain/webhook/slack-message'
import { zonesOf } from '@/lib/services/flavor/explain-flavor'
import { allSteps } from '@/lib/util/all-steps'
import { jsonText } from '@/lib/util/encode/json'
import { CONSOLE_URL, type Format } from './parse-formats'
import { planEverything } from './plan-everything'

/** A text that leaves the console. `data`: a value of its API, which a page shows as text. */
export type Output =
  | { name: string; format: Exclude<Format, 'shell'>; text: string }
  | { name: string; format: 'shell'; text: string; steps: number | null }
  | { name: string; format: 'data'; text: string }

const LANGUAGES: Readonly<Record<string, Format>> = { ini: 'ini', yaml: 'yaml', shell: 'shell', hcl: 'hcl' }

/** A request, a command of a host, or a line of nova.conf. */
const callOutput = (name: string, text: string): Output => {
  if (/^(GET|PUT|POST|PATCH|DELETE) /.test(text)) return { name: `${name}.calls`, format: 'http', text }
  return /^\w+ = /.test(text)
    ? { name: `${name}.calls`, format: 'ini', text }
    : { name: `${name}.calls`, format: 'shell', text, steps: null }
}

/** Every text below a value: those with a language as their own output, all others as data. */
const textsOf = (name: string, value: unknown): Output[] => {
  if (typeof value === 'string') return [{ name, format: 'data', text: value }]
  if (typeof value !== 'object' || value === null) return []
  if (value instanceof Map) return textsOf(name, [...value])
  const { language, text, ...rest } = value as { language?: unknown; text?: unknown }
  const format = typeof language === 'string' ? LANGUAGES[language] : undefined
  const own: Output[] =
    typeof text !== 'string' || format === undefined
      ? []
      : format === 'shell'
        ? [{ name: `${name}.text`, format, text, steps: null }]
        : [{ name: `${name}.text`, format, text }]
  return [
    ...own,
    ...Object.entries(own.length > 0 ? rest : value).flatMap(([key, inner]): Output[] => {
      if (key === 'terraform' && typeof inner === 'string')
        return [{ name: `${name}.${key}`, format: 'hcl', text: inner }]
      if (key === 'calls' && Array.isArray(inner)) return inner.map((text) => callOutput(name, String(text)))
      return [
        ...(Array.isArray(value) ? [] : [{ name, format: 'data' as const, text: key }]),
        ...textsOf(Array.isArray(value) ? name : `${name}.${key}`, inner),
      ]
    }),
  ]
}

const lineOf = (finding: Finding, id: number) => ({
  id,
  change: 'opened' as const,
  code: finding.code,
  severity: finding.severity,
  subject: finding.subject,
  sentence: finding.sentence,
  consequence: finding.consequence,
  nextStep: finding.nextStep,
  command: finding.command,
})

const webhookOutputs = (cloud: string, findings: readonly Finding[]): Output[] => {
  const lines = findings.map(lineOf)
  const all = {
    event: 'findings.changed',
    cloud,
    counts: { opened: lines.length, reopened: 0, closed: 0 },
    more: 0,
  }
  const events = [{ ...all, findings: lines }, ...lines.map((line) => ({ ...all, findings: [line] }))]
  return events.flatMap((event): Output[] => {
    const outgoing = { event, id: 'event', consoleUrl: CONSOLE_URL } as unknown as Parameters<
      typeof slackMessage
    >[0]
    const message = slackMessage(outgoing)
    return [
      { name: 'webhook, JSON', format: 'json', text: jsonText(jsonMessage(outgoing)) },
      { name: 'webhook, Slack', format: 'slack', text: message.text },
      ...message.blocks.map(
        ({ text }): Output => ({ name: 'webhook, Slack', format: 'slack', text: text.text }),
      ),
    ]
  })
}

/** A new server in the forms in which a tenant copies it. */
export const newServerOutputs = (spec: ServerSpec): Output[] => [
  { name: 'new server, command', format: 'shell', text: openstackCommand(spec), steps: null },
  { name: 'new server, Terraform', format: 'hcl', text: terraformServer(spec) },
  { name: 'new server, Heat', format: 'yaml', text: heatTemplate(spec) },
]

const specOfFlavor = (flavor: string): ServerSpec => ({
  name: 'server-1',
  flavor,
  image: null,
  network: null,
  keyPair: null,
  securityGroups: [],
})

/** Each way in which a cloud's texts leave the console without its database. */
export const outputsOf = (input: FleetFacts): Output[] => {
  const fleet = joinFleet(input)
  const plans = planEverything(fleet).flatMap(({ name, plan }): Output[] => {
    const { steps, title, ...preview } = plan
    const runbook = { id: 7, title, cloud: input.facts.cloud, steps }
    return [
      { name: `${name}: title`, format: 'data', text: title },
      ...textsOf(`${name}: step`, steps),
      ...textsOf(`${name}: preview`, preview),
      ...(steps.length === 0
        ? []
        : ([
            {
              name: `${name}: script`,
              format: 'shell',
              text: renderShellRunbook(runbook),
              steps: steps.length,
            },
            { name: `${name}: runbook`, format: 'markdown', text: renderMarkdownRunbook(runbook) },
          ] satisfies Output[])),
    ]
  })
  const { findings, unverified } = detectCloudFindings(fleet)
  return [
    ...plans,
    ...(input.facts.flavors.value ?? []).flatMap(({ name }) => newServerOutputs(specOfFlavor(name))),
    ...textsOf('own servers', allSteps(ownServers(fleet))),
    ...textsOf('zones', zonesOf(fleet)),
    ...textsOf('finding', findings),
    ...textsOf('finding', unverified),
    ...findings.flatMap(({ command, code }): Output[] =>
      command === null || !command.startsWith('openstack ')
        ? []
        : [{ name: `finding ${code}: command`, format: 'shell', text: command, steps: null }],
    ),
    ...webhookOutputs(input.facts.cloud, findings),
  ]
}
