import { expect, test } from 'vitest'
import { resolveSettings } from './resolve-settings'

const authOf = (values: Parameters<typeof resolveSettings>[0]['values']) =>
  resolveSettings({ values, region: null, regionValues: {} }).auth

test('a project or domain next to auth replaces the one below auth', () => {
  expect(authOf({ project_name: 'top', auth: { project_name: 'below' } })).toEqual({ project_name: 'top' })
  expect(authOf({ tenant_id: 'top', auth: { tenant_id: 'below' } })).toEqual({ project_id: 'top' })
  expect(authOf({ 'user-domain-name': 'top', auth: { 'user-domain-name': 'below' } })).toEqual({
    user_domain_name: 'top',
  })
})

test('the current name of a project replaces an old one at either position', () => {
  expect(authOf({ tenant_name: 'old', auth: { project_name: 'current' } })).toEqual({
    project_name: 'current',
  })
  expect(authOf({ project_name: 'current', auth: { tenant_name: 'old' } })).toEqual({
    project_name: 'current',
  })
})

test('a project next to auth is that of every region', () => {
  const settings = resolveSettings({
    values: { project_name: 'top', auth: { username: 'sliceboard' } },
    region: 'RegionOne',
    regionValues: { auth: { project_name: 'own' } },
  })
  expect(settings.auth).toEqual({ username: 'sliceboard', project_name: 'top' })
})

test('of an interface and its old name the later counts', () => {
  const interfaceOf = (values: Record<string, string>) =>
    resolveSettings({ values, region: null, regionValues: {} }).placement_interface
  expect(interfaceOf({ placement_endpoint_type: 'public', placement_interface: 'internal' })).toBe('internal')
  expect(interfaceOf({ placement_interface: 'internal', placement_endpoint_type: 'public' })).toBe('public')
  const settings = { endpoint_type: 'public', interface: 'internal' }
  expect(resolveSettings({ values: settings, region: null, regionValues: {} }).interface).toBe('public')
})
