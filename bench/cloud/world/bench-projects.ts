import { uuidFrom } from '@/simulator/random/uuid-from'

export type BenchProject = { id: string; name: string }

export const benchProject = (index: number): BenchProject => ({
  id: uuidFrom(`bench project ${index}`).replaceAll('-', ''),
  name: `project-${String(index).padStart(5, '0')}`,
})
