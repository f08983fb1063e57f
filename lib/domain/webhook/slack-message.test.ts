import { expect, test } from 'vitest'
import type { FindingLine, WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import { bundleFindings, MAX_LINES } from './bundle-findings'
import { slackMessage } from './slack-message'

const AT = '2026-11-21T14:03:22.000Z'
const ID = '0b0f4c53-7a3e-4d7d-9a54-0d2f5a1f2c11'

const line = (id: number, changes: Partial<FindingLine> = {}): FindingLine => ({
  change: 'opened',
  id,
  code: 'orphan-mdevs',
  severity: 'warning',
  subject: { kind: 'pgpu', host: `cmp-${id}`, address: '0000:41:00.0' },
  sentence: '2 orphaned mdevs keep it on A40-4Q',
  consequence: 'New servers find no host.',
  nextStep: 'Destroy them.',
  ...changes,
})

const bundled = (lines: FindingLine[]): WebhookEvent => {
  const event = bundleFindings({ lines, from: 'info', at: AT, cloud: 'paris' })
  if (event === null) throw new Error('nothing is bundled')
  return event
}

const messageOf = (event: WebhookEvent, consoleUrl: string | null = 'https://gpus.example') =>
  slackMessage({ event, id: ID, consoleUrl })

test('control characters and line feeds are visible, and a text full of them stays within the limits', () => {
  const { text, blocks } = messageOf(bundled([line(1, { sentence: 'a\n\u202e\u001b[31m'.repeat(100) })]))
  for (const written of [text, ...blocks.map((block) => block.text.text)]) {
    expect(written).toContain('a⟨U+000A⟩⟨U+202E⟩⟨U+001B⟩[31m')
    expect(written).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(written.length).toBeLessThanOrEqual(3000)
  }
  expect(blocks[0]?.text).toMatchObject({ type: 'mrkdwn', verbatim: true })
})

test('the texts of a finding can neither mention nor link', () => {
  const { text, blocks } = messageOf(
    bundled([line(1, { sentence: '<!channel> & <https://evil.example|a|b>' }), line(2)]),
  )
  for (const written of [text, ...blocks.map((block) => block.text.text)]) {
    expect(written).not.toContain('<!')
    expect(written).not.toContain('<https://evil')
    const links = [...written.matchAll(/<([^>]*)>/g)].map(([, inner]) => inner)
    for (const inner of links) expect(inner).toMatch(/^https:\/\/gpus\.example\/findings[^|]*\|[^|]*$/)
  }
  expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example¦a¦b&gt;')
})

test('many long lines stay within what Slack takes, whole lines only, and the rest is counted', () => {
  const lines = Array.from({ length: 60 }, (_, id) => line(id + 1, { sentence: '&'.repeat(600) }))
  const { text, blocks } = messageOf(bundled(lines))
  expect(text.length).toBeLessThanOrEqual(4000)
  for (const block of blocks) expect(block.text.text.length).toBeLessThanOrEqual(3000)
  const last = blocks.at(-1)?.text.text ?? ''
  const shown = last.split('\n').filter((part) => part.startsWith('•')).length
  expect(shown).toBeGreaterThan(0)
  expect(last).toMatch(new RegExp(`\\nand ${60 - shown} more$`))
  expect(last.replaceAll('&amp;', '')).not.toContain('&')
})

test('without the address of the console there are words and no links', () => {
  const { text } = messageOf(bundled([line(7)]), null)
  expect(text).toBe('*paris*: Finding: cmp-7 0000:41:00.0: 2 orphaned mdevs keep it on A40-4Q')
})

test('one finding leads to its page, many to the list', () => {
  expect(messageOf(bundled([line(7)])).text).toContain('<https://gpus.example/findings/7?cloud=paris|')
  expect(messageOf(bundled([line(7), line(8)])).text).toContain(
    '<https://gpus.example/findings?cloud=paris|2 findings',
  )
})

test('of 57 findings 20 are listed, the most urgent first and what closed last', () => {
  const lines = [
    line(100, { change: 'closed', severity: 'error' }),
    ...Array.from({ length: 55 }, (_, id) => line(id + 1)),
    line(99, { severity: 'error' }),
  ]
  const event = bundled(lines)
  expect(event).toMatchObject({ counts: { opened: 56, reopened: 0, closed: 1 }, more: 57 - MAX_LINES })
  if (event.event !== 'findings.changed') throw new Error('not of findings')
  expect(event.findings.map(({ id }) => id).slice(0, 3)).toEqual([99, 1, 2])
  expect(messageOf(event).blocks.at(-1)?.text.text).toMatch(/\nand 37 more$/)
})

test('below the selected severity nothing is sent', () => {
  const lines = [line(1), line(2, { severity: 'info' })]
  expect(bundleFindings({ lines, from: 'error', at: AT, cloud: 'paris' })).toBeNull()
  expect(bundleFindings({ lines, from: 'warning', at: AT, cloud: 'paris' })).toMatchObject({
    findings: [{ id: 1 }],
    more: 0,
  })
})
