import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listSources } from './house-measures'

const ROOT = path.resolve(import.meta.dirname, '../..')
const components = listSources(ROOT)
  .filter((file) => /^components\/.*\.tsx$/.test(file) && !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))

/** Actions of a person's own account or project, which every role may perform. */
const OF_EVERY_ROLE = /^components\/(session|catalog|own-request|api-token)\/|\/account-dropdown\.tsx$/
/** Dialogs that open only from a button with the reason. */
const BEHIND_A_BUTTON = [
  'components/agent/add-host-dialog.tsx',
  'components/finding/acknowledge-form.tsx',
  'components/price/price-dialog.tsx',
  'components/webhook/renew-secret.tsx',
  'components/webhook/webhook-dialog.tsx',
]

test('each action that needs a role shows the reason to those without it', () => {
  const actions = components.filter(({ text }) => text.includes('useMutation('))
  expect(actions.length).toBeGreaterThan(30)
  const silent = actions.filter(({ text }) => !/use(?:Is)?Refus\w+\(|describeRefusal\(/.test(text))
  expect(silent.map(({ file }) => file).filter((file) => !OF_EVERY_ROLE.test(file))).toEqual(BEHIND_A_BUTTON)
})

test('the page of a plan is linked only by a link that shows the reason', () => {
  const plain = /<Link\b[^>]*?href=\{new[A-Z]\w*Path\(/s
  expect(components.filter(({ text }) => plain.test(text)).map(({ file }) => file)).toEqual([])
})
