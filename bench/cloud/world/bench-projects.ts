import { uuidFrom } from '@/simulator/random/uuid-from'

export type BenchProject = { id: string; name: string }

/** Projects with a member each who signs in. */
export const MEMBERS = 200

export const benchMember = (index: number) => ({
  name: `member-${String(index).padStart(5, '0')}`,
  password: `bench-member-${index}`,
  domain: 'Default',
  project: benchProject(index).name,
})

export const benchProject = (index: number): BenchProject => ({
  id: uuidFrom(`bench project ${index}`).replaceAll('-', ''),
  name: `project-${String(index).padStart(5, '0')}`,
})
