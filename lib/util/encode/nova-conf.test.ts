import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinEncoded } from './encoded'
import { novaConf, novaConfItem, novaConfName, novaConfValue } from './nova-conf'
import { anyText, HOSTILE_TEXTS, UNSAFE } from './testing/hostile-text'
import { visible, withoutTemplates } from './visible'

const clean = (text: string): string => withoutTemplates(visible(text))

/** A file whose options are all made of the same texts. */
const fileOf = (texts: readonly string[]) => {
  const lines = texts.map((text) => novaConf`y = ${novaConfValue(text)}`)
  const items = joinEncoded(
    texts.map((text) => novaConfItem(`i${text}`)),
    ',',
  )
  const names = texts.map((text) => novaConf`[b${novaConfName(text)}]\n${novaConfName(text)} = 1`)
  return novaConf`[a]\nx = ${novaConfValue(texts[0] ?? '')}\n${joinEncoded(lines, '\n')}\nz = ${items}\n${joinEncoded(names, '\n')}\n`
}

/** The rules of oslo_config/iniparser.py, and `$` as string.Template.safe_substitute takes it. */
const readByRules = (file: string): { sections: string[]; options: [name: string, value: string][] } => {
  const sections: string[] = []
  const options: [name: string, value: string][] = []
  for (const line of file.split('\n')) {
    const text = line.trimEnd()
    if (text === '' || /^[#;]/.test(text)) continue
    if (/^[ \t]/.test(text)) throw new Error(`continuation: ${text}`)
    if (text.startsWith('[')) {
      sections.push(text.slice(1, -1))
      continue
    }
    const at = text.search(/[:=]/)
    const value = text.slice(at + 1).trim()
    const isQuoted = value.length > 1 && value[0] === value.at(-1) && /["']/.test(value[0] ?? '')
    options.push([text.slice(0, at).trim(), isQuoted ? value.slice(1, -1) : value])
  }
  return { sections, options }
}

const substituted = (value: string): string => {
  expect(value.replaceAll('$$', '')).not.toContain('$')
  return value.replaceAll('$$', '$')
}

describe('each value is one option of its section', () => {
  const check = (texts: readonly string[]): void => {
    const file = fileOf(texts)
    expect(file.replaceAll('\n', '')).not.toMatch(UNSAFE)
    expect(file).not.toMatch(/\{[{%#]/)
    const { sections, options } = readByRules(file)
    expect(sections).toHaveLength(texts.length + 1)
    expect(options.splice(-texts.length).map(([, value]) => value)).toEqual(texts.map(() => '1'))
    expect(options.map(([name]) => name)).toEqual(['x', ...texts.map(() => 'y'), 'z'])
    expect(options.slice(1, -1).map(([, value]) => substituted(value))).toEqual(texts.map(clean))
    expect(options.at(-1)?.[1].split(',')).toHaveLength(Math.max(1, texts.length))
  }

  test('by the rules of oslo.config', () => {
    for (const text of HOSTILE_TEXTS) check([text])
    fc.assert(fc.property(fc.array(anyText(), { minLength: 1, maxLength: 20 }), check))
  })

  const python = process.env.PYTHON ?? 'python3'
  const hasOslo = spawnSync(python, ['-c', 'import oslo_config']).status === 0
  test.skipIf(!hasOslo)('by oslo.config itself', () => {
    const texts = HOSTILE_TEXTS
    const { stdout, stderr, status } = spawnSync(
      python,
      [fileURLToPath(new URL('./testing/read-nova-conf.py', import.meta.url))],
      { input: fileOf(texts), encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const read = JSON.parse(stdout) as { x: string; y: string[]; z: string[]; sections: string[] }
    expect(read.x).toBe(clean(texts[0] ?? ''))
    expect(read.y).toEqual(texts.map(clean))
    expect(read.z).toHaveLength(texts.length)
  })
})

test('a plain string is refused', () => {
  const raw: string = 'a'
  // @ts-expect-error a plain string is refused
  expect(novaConf`x = ${raw}`).toBe('x = a')
})
