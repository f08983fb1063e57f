/**
 * What differs between OpenStack releases as far as vGPUs and limits are concerned (release notes of Nova, Keystone and
 * oslo.limit).
 */
export type Release = {
  name: ReleaseName
  /** Highest compute microversion (nova rest_api_version_history). */
  novaMaximum: string
  /** Keystone from 2026.1 on shows all limits to a project-scoped admin. */
  areLimitsOpenToAdmins: boolean
  /** Zed: only a system-scoped admin writes limits. */
  needsSystemScopeForLimits: boolean
  /** Nova 31 and newer: -1 is no limit, and most names without a registered limit are not 0. */
  knowsUnlimited: boolean
  /** Keystone 2025.1 and newer pages projects, users and domains (release note pagination-projects-ea311579da4bb83b). */
  hasPages: boolean
}

export type ReleaseName = 'zed' | '2024.1' | '2025.1' | '2025.2' | '2026.1'

const release = (name: ReleaseName, novaMaximum: string): Release => ({
  name,
  novaMaximum,
  areLimitsOpenToAdmins: name === '2026.1',
  needsSystemScopeForLimits: name === 'zed',
  knowsUnlimited: name !== 'zed' && name !== '2024.1',
  hasPages: name !== 'zed' && name !== '2024.1',
})

export const RELEASES: Record<ReleaseName, Release> = {
  zed: release('zed', '2.93'),
  '2024.1': release('2024.1', '2.96'),
  '2025.1': release('2025.1', '2.100'),
  '2025.2': release('2025.2', '2.100'),
  '2026.1': release('2026.1', '2.103'),
}
