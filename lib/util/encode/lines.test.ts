import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentDisposition } from './file-name'
import { http, httpBody, httpPart } from './http'
import { prometheusName, prometheusSample } from './prometheus'
import { slackLink, slackText } from './slack'
import { systemd, systemdWord } from './systemd'
import { anyText, HOSTILE_TEXTS, UNSAFE } from './testing/hostile-text'
import { visible } from './visible'

const each = (check: (text: string) => void): void => {
  for (const text of HOSTILE_TEXTS) check(text)
  fc.assert(fc.property(anyText(), check))
}

test('a label of Prometheus ends at its own quote', () => {
  each((text) => {
    const line = prometheusSample(prometheusName('a'), { labels: { b: text }, value: 1 })
    expect(line.trimEnd()).not.toMatch(UNSAFE)
    const found = /^a\{b="((?:[^"\\]|\\["\\])*)"\} 1\n$/.exec(line)
    expect(found?.[1]?.replace(/\\(.)/g, '$1')).toBe(visible(text))
  })
})

test('Slack reads a text as text: no link, no mention, no entity', () => {
  each((text) => {
    const message = slackText(text)
    expect(message).not.toMatch(UNSAFE)
    expect(message).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/)
    expect(message.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(
      visible(text),
    )
    expect(slackLink({ url: 'https://console.example/a', label: text })).toMatch(
      /^<https:\/\/console\.example\/a\|[^<>|]*>$/,
    )
  })
})

test('an argument of a unit file is one argument without specifiers or variables', () => {
  each((text) => {
    const line = systemd`ExecStart=/bin/a ${systemdWord(text)}`
    expect(line).not.toMatch(UNSAFE)
    const found = /^ExecStart=\/bin\/a (?:"((?:[^"\\]|\\["\\])*)"|([^\s"']+))$/.exec(line)
    const argument = found?.[2] ?? found?.[1]?.replace(/\\(.)/g, '$1')
    expect(argument?.replaceAll('%%', '').replaceAll('$$', '')).not.toMatch(/[%$]/)
    expect(argument?.replaceAll('%%', '%').replaceAll('$$', '$')).toBe(visible(text))
  })
})

test('a part of a request is one segment of its path and one word of a shell', () => {
  each((text) => {
    const part = httpPart(text)
    expect(part).toMatch(/^[A-Za-z0-9._~:@,%-]*$/)
    expect(decodeURIComponent(part)).toBe(visible(text))
    expect(http`PUT /a/${part} ${httpBody({ text })}`).not.toMatch(UNSAFE)
  })
})

test('a file name stays one name of printable ASCII', () => {
  each((text) => {
    const header = contentDisposition(`${text}.csv`)
    expect(header).toMatch(/^attachment; filename="[^"\\/%]*[._]csv"(?:; filename\*=UTF-8''[\w.~%-]+)?$/)
    expect(() => new Headers({ 'content-disposition': header })).not.toThrow()
  })
  expect(contentDisposition('gpus.csv')).toBe('attachment; filename="gpus.csv"')
  expect(contentDisposition('../Köln.csv')).toBe(
    `attachment; filename="__K_ln.csv"; filename*=UTF-8''__K%C3%B6ln.csv`,
  )
})
