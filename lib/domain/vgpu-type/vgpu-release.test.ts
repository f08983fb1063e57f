import { expect, test } from 'vitest'
import { driverBranch, vgpuRelease, vgpuReleaseLabel } from './vgpu-release'

test('a driver belongs to a branch, and a branch to a vGPU release where that is known', () => {
  expect(driverBranch('550.90.05')).toBe('550')
  expect(driverBranch('535.161')).toBe('535')
  expect(driverBranch('1005.10')).toBe('1005')
  expect(driverBranch('unknown')).toBeNull()
  expect(vgpuReleaseLabel('550')).toBe('vGPU 17 (550)')
  expect(vgpuReleaseLabel('595')).toBe('vGPU 20 (595)')
})

test('a branch after the table is newer, one in between has no vGPU release', () => {
  expect(vgpuRelease('610')).toEqual({ kind: 'newer' })
  expect(vgpuReleaseLabel('610')).toBe('610, newer than vGPU 20 (595)')
  expect(vgpuRelease('560')).toEqual({ kind: 'none' })
  expect(vgpuReleaseLabel('560')).toBe('560')
})
