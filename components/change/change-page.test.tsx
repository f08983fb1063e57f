import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, test } from 'vitest'
import { CloudScope } from '@/components/shell/use-cloud'
import { knownCell, row, unsaid } from '@/lib/domain/fit/source-rows'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'
import { ChangeSteps, sourceLines } from './change-page'

it('has one line for each source, with a dash for what is not known, and marks the odd one', () => {
  const lines = sourceLines({
    rows: [
      row('type', 'Type', {
        hardware: knownCell('nvidia-320'),
        novaConf: knownCell('nvidia-319'),
        disagree: { column: 'novaConf', because: 'it names the old type' },
      }),
      row('total', 'Total', { hardware: knownCell(2), placement: unsaid('not read') }),
      row('orphan', 'Orphan', { hardware: knownCell(0) }),
      row('traits', 'Traits', { placement: knownCell('CUSTOM_A') }),
    ],
  })
  expect(lines).toEqual([
    { column: 'hardware', text: 'nvidia-320, total 2', isOdd: false },
    { column: 'novaConf', text: 'nvidia-319', isOdd: true },
    { column: 'placement', text: 'total –', isOdd: false },
    { column: 'libvirt', text: null, isOdd: false },
  ])
})

const AT = '2026-11-21T22:00:00.000Z'

const STEP: ChangeStep = {
  id: 'close-service/cmp-01',
  title: 'Disable scheduling on cmp-01',
  host: 'cmp-01',
  doer: 'console',
  calls: [],
  command: 'true',
  undoCommand: 'true',
  sees: 'It was enabled.',
  precondition: '',
  check: '',
  undo: '',
  position: 0,
  state: 'blocked',
  isUndo: false,
  hasEffect: false,
  note: 'nova-compute is disabled by someone else',
  wayOut: 'Plan again',
  writerChangeId: null,
  answer: null,
  changedAt: AT,
}

const change = (input: ChangeDetail['input'], part: Partial<ChangeDetail> = {}): ChangeDetail => ({
  id: 7,
  cloud: 'paris',
  kind: 'type',
  title: 'T4-8C on 1 pGPU',
  state: 'stopped',
  isByHand: false,
  madeBy: 'user:anna@Default',
  madeAt: AT,
  runBy: null,
  startedAt: AT,
  endedAt: null,
  stopReason: null,
  input,
  needsApproval: false,
  approvedBy: null,
  approvedAt: null,
  window: null,
  batchHosts: null,
  version: 2,
  lastAction: 'stop',
  lastBy: 'user:anna@Default',
  lastAt: AT,
  preview: {
    kind: 'unreadable',
    because: 'its row in the database is damaged',
    targets: [],
    refusals: [],
    unchanged: [],
    flavors: [],
  },
  stepCount: 1,
  hosts: [],
  tasks: [],
  currentStep: STEP,
  effects: null,
  remainingSeconds: null,
  steps: [STEP],
  ...part,
})

const markupOf = (detail: ChangeDetail): string =>
  renderToStaticMarkup(
    <NuqsTestingAdapter searchParams="cloud=paris">
      <QueryClientProvider client={new QueryClient()}>
        <CloudScope>
          <ChangeSteps change={detail} cloud="paris" />
        </CloudScope>
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  )

/** Where “Plan again” of the blocked step leads; null: there is no such link. */
const planAgainOf = (input: ChangeDetail['input']): URLSearchParams | null => {
  const markup = markupOf(change(input))
  const query = /href="\/changes\/new\/type\?([^"]*)"[^>]*>Plan again</.exec(markup)?.[1]
  return query === undefined ? null : new URLSearchParams(query.replaceAll('&amp;', '&'))
}

test('“Plan again” takes everything along that the change was planned from', () => {
  const query = planAgainOf({
    cloud: 'paris',
    kind: 'type',
    gpus: [{ host: 'cmp-01', address: '0000:18:00.0' }],
    typeId: 'nvidia-320',
    resourceClass: 'CUSTOM_T4_8C',
    isFlavorLossAccepted: true,
    testBoot: { flavorId: 'f1', imageId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', networks: 'auto' },
  })
  expect(Object.fromEntries(query ?? [])).toEqual({
    cloud: 'paris',
    gpus: 'cmp-01,0000:18:00.0',
    type: 'nvidia-320',
    class: 'CUSTOM_T4_8C',
    loss: 'true',
    test: 'true',
    flavor: 'f1',
    image: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    net: 'auto',
  })
})

test('without a readable input there is no link that would guess it', () => {
  expect(planAgainOf(null)).toBeNull()
})

test('a blocked step links the change that changed its target', () => {
  const links = (detail: ChangeDetail) =>
    [...markupOf(detail).matchAll(/<a [^>]*href="([^"]*)"[^>]*>(Change \d+)</g)].map(([, href, text]) => [
      href,
      text,
    ])
  expect(links(change(null, { steps: [{ ...STEP, writerChangeId: 5 }] }))).toEqual([
    ['/changes/5?cloud=paris', 'Change 5'],
  ])
  expect(links(change(null))).toEqual([])
})

const LARGE: Partial<ChangeDetail> = {
  stepCount: 7300,
  steps: [],
  hosts: Array.from({ length: 250 }, (_, index) => ({
    host: `cmp-${index}`,
    steps: 29,
    ended: index < 60 ? 29 : 0,
    state: index === 60 ? 'blocked' : null,
    changedAt: AT,
    phases: [
      { phase: 'prepare', steps: 1, ended: index < 60 ? 1 : 0, state: index === 60 ? 'blocked' : null },
      { phase: 'verify', steps: 28, ended: index < 60 ? 28 : 0, state: null },
    ],
  })),
  currentStep: { ...STEP, position: 1752, host: 'cmp-60', title: 'Disable scheduling on cmp-60' },
}

test('a large change shows its current step, its phases, and in the current one 50 hosts with the current one first', () => {
  const markup = markupOf(change(null, LARGE))
  expect(markup.match(/<li[^>]*aria-current="step"/g)).toHaveLength(1)
  expect(markup).toContain('Disable scheduling on cmp-60')
  expect(markup).toContain('aria-label="Skip step 1753"')
  const hosts = [...markup.matchAll(/<b [^>]*>(cmp-\d+)</g)].map(([, host]) => host)
  expect(hosts.slice(0, 2)).toEqual(['cmp-60', 'cmp-0'])
  expect(hosts).toHaveLength(50)
  expect(markup).toContain('All steps are complete on 60 of 250 hosts.')
  const phases = [
    ...markup.matchAll(/<details([^>]*)><summary[^>]*><span[^>]*>(\w+)<\/span><span[^>]*>([^<]*)</g),
  ]
  expect(phases.map(([, open, ...text]) => [open === ' open=""', ...text])).toEqual([
    [true, 'Prepare', '60 of 250'],
    [false, 'Verify', '1,680 of 7,000'],
  ])
})

test('the texts of a step are drawn when it is opened', () => {
  const texts = (detail: ChangeDetail) => markupOf(detail).match(/It was enabled\./g)?.length ?? 0
  expect(texts(change(null))).toBe(1)
  expect(texts(change(null, { currentStep: null }))).toBe(0)
})
