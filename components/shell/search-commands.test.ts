import { expect, test } from 'vitest'
import { findCommands } from './search-commands'

const names = (text: string, role: 'admin' | 'reader' = 'admin') =>
  findCommands(text, role).map(({ name }) => name)

test('every kind of change, the pages and the settings are found by their names and other words', () => {
  expect(names('new change')).toContain('Change vGPU type')
  expect(names('create flavor')).toEqual(['Create flavor'])
  expect(names('join token')).toEqual(['Add host', 'Agents'])
  expect(names('what if')).toEqual(['Scenarios'])
  expect(names('settings')).toEqual([
    'Agents',
    'Cloud',
    'Prices',
    'Webhooks',
    'Audit',
    'Sessions',
    'API tokens',
    'API',
  ])
})

test('a role finds only what it may do', () => {
  expect(names('create flavor', 'reader')).toEqual([])
  expect(names('', 'reader')).not.toContain('Add host')
  expect(names('', 'reader')).toContain('Audit')
})

test('commands stay in the cloud of the page', () => {
  for (const { path } of findCommands('', 'admin')) expect(path('paris')).toContain('cloud=paris')
})
