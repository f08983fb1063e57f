import { FINDING_COLUMNS } from '@/components/finding/finding-columns'
import { columnCsv } from '@/components/table/column-csv'
import { writeExposition } from '@/lib/domain/metrics/write-exposition'
import { reviewCsv } from '@/lib/domain/review/review-csv'
import { OCTOBER } from '@/lib/domain/review/testing/october'
import { idleVgpusCsv, usageCsv } from '@/lib/domain/utilization/usage-csv'
import type { ReviewContentV1 } from '@/lib/schemas/api/review-content'
import type { IdleVgpu, UtilizationSeries } from '@/lib/schemas/api/utilization'
import { allSteps } from '@/lib/util/all-steps'
import { csvField } from '@/lib/util/encode/csv'
import { hcl, hclComment, hclName, hclString } from '@/lib/util/encode/hcl'
import { http, httpBody, httpPart } from '@/lib/util/encode/http'
import { jsonText } from '@/lib/util/encode/json'
import { markdownCode, markdownText, md } from '@/lib/util/encode/markdown'
import { novaConf, novaConfItem, novaConfName, novaConfValue } from '@/lib/util/encode/nova-conf'
import {
  heredoc,
  nestedCommand,
  sh,
  shellArguments,
  shellComment,
  shellOperands,
  shellOption,
  shellWord,
  sshWord,
} from '@/lib/util/encode/shell'
import { slack, slackLink, slackText } from '@/lib/util/encode/slack'
import { systemd, systemdWord } from '@/lib/util/encode/systemd'
import { yamlDocument } from '@/lib/util/encode/yaml'
import { yaml, yamlQuoted, yamlString } from '@/lib/util/encode/yaml-string'
import { WAYS } from './hostile-text'
import { newServerOutputs, type Output } from './outputs'
import { CONSOLE_URL } from './parse-formats'

const TEXTS = WAYS.map((way, at) => way(`qz000${at.toString(36).padStart(2, '0')}`))

const FINDING = {
  id: 1,
  code: 'clock-off',
  title: 'Clocks differ',
  severity: 'info',
  subject: { kind: 'cloud' },
  consequence: 'none',
  nextStep: 'none',
  command: null,
  sourceToCorrect: null,
  state: 'open',
  openedAt: '2026-11-21T10:00:00Z',
  closedAt: null,
  reopenedCount: 0,
  unverifiedReason: null,
  acknowledgement: null,
  mute: null,
} as const

/** Which texts of a review are terms of the product, and never the name of something in a cloud. */
const OWN_TERMS = /^(?:kind|by|at|from|until|knownUntil|since|reason|timeZone|severity|state|code)$/

/** A review in which every name is the text. */
const reviewOf = (text: string): ReviewContentV1 =>
  JSON.parse(
    JSON.stringify(OCTOBER, (key, value: unknown) =>
      typeof value === 'string' && !OWN_TERMS.test(key) ? text : value,
    ),
  ) as ReviewContentV1

const idleVgpu = (text: string): IdleVgpu => ({
  host: text,
  address: text,
  vgpu: text,
  guest: text,
  server: text,
  flavor: text,
  projectId: text,
  project: text,
  user: text,
  typeId: text,
  type: text,
  since: OCTOBER.period.from,
  highestPercent: 1,
  usedMib: 1,
  seenShare: 1,
  hosts: [text],
})

const measured = (text: string): UtilizationSeries => ({
  key: text,
  label: text,
  guest: text,
  utilization: [1],
  utilizationMin: [1],
  utilizationMax: [1],
  usedMib: [1],
  usedMibMax: [1],
  totalMib: [1],
})

type Exporter = (text: string) => Output | Output[]
const shell = (name: string, text: string): Output => ({ name, format: 'shell', text, steps: null })

/** Values that planning refuses, or that come from the database, in the smallest text of each language. */
const EXPORTERS: readonly Exporter[] = [
  (text) => ({
    name: 'metrics',
    format: 'prometheus',
    text: allSteps(
      writeExposition([
        {
          name: `sliceboard_${text}`,
          help: text,
          type: 'gauge',
          samples: [{ labels: { host: text }, value: 1 }],
        },
      ]),
    ),
  }),
  (text) => ({
    name: 'findings, CSV',
    format: 'csv',
    text: columnCsv(FINDING_COLUMNS, [{ ...FINDING, sentence: text }], { cloud: 'cloud' }),
  }),
  (text) => ({ name: 'review, CSV', format: 'csv', text: reviewCsv(reviewOf(text)) }),
  (text) => ({ name: 'idle vGPUs, CSV', format: 'csv', text: idleVgpusCsv([idleVgpu(text)]) }),
  (text) => ({
    name: 'utilization, CSV',
    format: 'csv',
    text: usageCsv({ from: OCTOBER.period.from, stepSeconds: 3600, series: [measured(text)] }),
  }),
  (text) => ({ name: 'a CSV field', format: 'csv', text: `a,b\r\n${csvField(text)},1\r\n` }),
  (text) => [
    shell('a word', sh`openstack flavor show -- ${shellWord(text)}`),
    shell('a word over ssh', sh`ssh root@cmp-1 echo ${sshWord(text)}`),
    shell('a command over ssh', sh`ssh root@cmp-1 ${nestedCommand(sh`echo ${shellWord(text)}`)}`),
    shell('words', sh`openstack flavor show ${shellArguments(['--', text])}`),
    shell('an option', sh`openstack flavor show ${shellOption(sh`--name`, text)}`),
    shell('operands', sh`openstack aggregate add host ${shellOperands([text, 'cmp-1'])}`),
    shell('a comment', sh`${shellComment(text)}\ntrue`),
    shell('a here-document', heredoc(sh`cat`, text as never)),
  ],
  (text) => [
    { name: 'an option', format: 'ini', text: novaConf`[a]\nx = ${novaConfValue(text)}\n` },
    { name: 'an item', format: 'ini', text: novaConf`[a]\nx = ${novaConfItem(text)}\n` },
    {
      name: 'a section',
      format: 'ini',
      // A text may be the name itself, so the addition distinguishes it from a name that the text created.
      text: novaConf`[${novaConfName(`${text}_own`)}]\n${novaConfName(`${text}_own`)} = 1\n`,
    },
    { name: 'a unit', format: 'ini', text: systemd`[Service]\nExecStart=/bin/true ${systemdWord(text)}\n` },
  ],
  (text) => [
    { name: 'a text for Slack', format: 'slack', text: slack`*${slackText(text)}*` },
    { name: 'a link for Slack', format: 'slack', text: slackLink({ url: `${CONSOLE_URL}/x`, label: text }) },
    { name: 'a document', format: 'yaml', text: yamlDocument({ a: { [text]: text } }) },
    { name: 'a text', format: 'yaml', text: yaml`a:\n  b: ${yamlString(text)}\n` },
    { name: 'a value', format: 'hcl', text: hcl`a = ${hclString(text)}\n` },
    { name: 'a quoted text', format: 'yaml', text: yaml`a:\n  b: ${yamlQuoted(text)}\n` },
    { name: 'a comment', format: 'hcl', text: hcl`a = 1\n${hclComment(text)}\n` },
    { name: 'a name', format: 'hcl', text: hcl`resource "x" "${hclName(text)}" {\n}\n` },
    { name: 'a JSON value', format: 'json', text: jsonText({ a: text }) },
    {
      name: 'a request',
      format: 'http',
      text: http`PUT /flavors/${httpPart(text)}?x=1 ${httpBody({ a: text })}`,
    },
    {
      name: 'a heading',
      format: 'markdown',
      text: md`# A ${markdownText(text)}\n\n- b ${markdownText(text)}\n`,
    },
    { name: 'a block of code', format: 'markdown', text: md`# A\n\n${markdownCode(text as never)}\n` },
  ],
  // Of images, networks, key pairs and security groups, which the console reads on request and never stores.
  (text) => {
    const reference = { text, isId: false }
    const all = { name: text, flavor: text, image: reference, network: reference, keyPair: text }
    return newServerOutputs({ ...all, securityGroups: [reference, reference] })
  },
]

/** One text for each exporter and each way of attack. */
export const directOutputs = (): (() => Output[])[] =>
  EXPORTERS.map((exporter) => () => TEXTS.flatMap(exporter))
