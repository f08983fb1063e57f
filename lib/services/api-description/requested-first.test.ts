import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** Available without a permission: they run before sign-in, or return nothing about a cloud. */
const FOR_EVERYBODY = [
  'getHealth',
  'describeApi',
  'getHelpImage',
  'getAccount',
  'logFailedSignIn',
  'signInWithPassword',
  'startWebSso',
  'requireWebSso',
  'finishWebSso',
  'webSsoProblem',
]
/** A function of their file checks the permission. */
const ROLE_OF = {
  signOut: 'ownSession(ctx)',
  chooseScope: 'ownSessionToken(ctx)',
  listScopes: 'ownSessionToken(ctx)',
  watchFlavor: 'write(ctx, input',
  endWatch: 'write(ctx, input',
}

/** What answers requests: the routes, and the handlers in front of Next. */
const HANDLERS = [
  ...readdirSync(path.join(root, 'app/api'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('route.ts'))
    .map((file) => `app/api/${file}`),
  ...readdirSync(path.join(root, 'lib/server/front-api'))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => `lib/server/front-api/${file}`),
]

/** Functions of services that a handler calls, by name, each with its file. */
const calledServices = (): Map<string, string> => {
  const called = new Map<string, string>()
  for (const handler of HANDLERS) {
    const imports = text(handler).matchAll(/import \{([^}]*)\} from '@\/(lib\/services\/[\w/-]+)'/g)
    for (const [, names = '', file = ''] of imports) {
      const values = names.split(',').map((name) => name.trim())
      for (const name of values) if (name !== '' && !name.startsWith('type ')) called.set(name, `${file}.ts`)
    }
  }
  return called
}

/** The text of an exported function, up to the next statement of its file. */
const bodyOf = (source: string, name: string): string => {
  const from = source.search(new RegExp(`^export const ${name} =`, 'm'))
  if (from < 0) return ''
  const length = source.slice(from + 1).search(/^(export |const |type |\/\*\*)/m)
  return length < 0 ? source.slice(from) : source.slice(from, from + 1 + length)
}

test('each service that a request reaches requires a permission, also if another function of its file does', () => {
  const silent: string[] = []
  for (const [name, file] of calledServices()) {
    if (FOR_EVERYBODY.includes(name)) continue
    const by = ROLE_OF[name as keyof typeof ROLE_OF] ?? 'requirePermission(ctx, '
    if (!bodyOf(text(file), name).includes(by)) silent.push(`${name} of ${file}`)
  }
  expect(silent).toEqual([])
  expect(calledServices().size).toBeGreaterThan(100)
})
