import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { AGENT_NODE, CONSOLE_NODE, refuseOldNode } from './old-node'

const root = path.join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** What a Node.js of that version would print before it ends; null: it continues. */
const runAs = (code: string, version: string): string | null => {
  let printed: string | null = null
  let exitCode: number | null = null
  runInNewContext(code, {
    process: {
      versions: { node: version },
      exit: (status: number) => {
        exitCode = status
      },
    },
    console: {
      error: (text: string) => {
        printed = text
      },
    },
  })
  expect(exitCode).toBe(printed === null ? null : 1)
  return printed
}

const CONSOLE_SENTENCE =
  'Sliceboard needs Node.js 20.19 or newer, but this is Node.js 18.20.8: install a newer one from https://nodejs.org/en/download.'

test('an older Node.js prints one sentence with the required version and where to get it', () => {
  expect(runAs(refuseOldNode(CONSOLE_NODE), '18.20.8')).toBe(CONSOLE_SENTENCE)
  for (const version of ['0.12.18', '16.20.2', '20.9.0', '20.18.3'])
    expect(runAs(refuseOldNode(CONSOLE_NODE), version)).toContain(`this is Node.js ${version}`)
  for (const version of ['20.19.0', '20.20.2', '21.0.0', '22.12.0', '100.0.0'])
    expect(runAs(refuseOldNode(CONSOLE_NODE), version)).toBeNull()
  expect(runAs(refuseOldNode(AGENT_NODE), '16.20.2')).toContain(
    'The Sliceboard agent needs Node.js 18 or newer',
  )
  expect(runAs(refuseOldNode(AGENT_NODE), '18.0.0')).toBeNull()
})

test('the check itself is read by any Node.js', () => {
  // esbuild refuses to turn newer syntax such as `const` into ES5 instead of leaving it.
  for (const code of [refuseOldNode(CONSOLE_NODE), read('scripts/check-node.cjs')])
    expect(transformSync(code, { target: 'es5', minifyWhitespace: true }).code).toBe(
      transformSync(code, { minifyWhitespace: true }).code,
    )
})

test('the file that npm runs first, the built programs and package.json ask for the same', () => {
  expect(read('scripts/check-node.cjs')).toContain(refuseOldNode(CONSOLE_NODE))
  const { engines, scripts } = JSON.parse(read('package.json')) as {
    engines: { node: string }
    scripts: Record<string, string>
  }
  expect(engines.node).toBe(`>=${CONSOLE_NODE.major}.${CONSOLE_NODE.minor}`)
  for (const name of ['preinstall', 'postinstall', 'start', 'demo', 'dev', 'test', 'test:all', 'build'])
    expect(scripts[name], name).toMatch(/^node scripts\/check-node\.cjs( &&|$)/)
})
