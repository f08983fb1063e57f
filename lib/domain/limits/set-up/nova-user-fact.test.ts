import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import { limitTable } from '../limit-view'
import { describeFacts } from './describe-facts'

const commandFor = (name: string, domainId: string | null) => {
  const fleet = joinFleet(t4Cloud())
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  const facts = describeFacts({
    fleet,
    view,
    needed: [],
    driver: { driver: null, reported: '' },
    endpointId: null,
    apis: [],
    user: { name, domainId, mayRead: false, roles: null, because: null },
  })
  return facts.find(({ id }) => id === 'role')?.check
}

it('the command for the roles of the user names the domain that was entered', () => {
  expect(commandFor('nova', null)).toBe('openstack role assignment list --user nova --system all --names')
  expect(commandFor('nova', 'default')).toBe(
    'openstack role assignment list --user nova --user-domain default --system all --names',
  )
})

it('a domain cannot add a command or an option', () => {
  expect(commandFor('nova', 'a; id')).toContain("--user-domain 'a; id' --system")
  expect(commandFor('nova', '--os-auth-url=http://x')).toContain(
    '--user-domain=--os-auth-url=http://x --system',
  )
})
