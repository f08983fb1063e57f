import { uuidFrom } from '@/simulator/random/uuid-from'
import type { GlanceState, Image } from '../glance/glance-state'
import { projectIdOf } from './accounts'

/** The public image from which the demo's servers were created. */
export const IMAGE_ID = '7f6c2a54-3c2f-4f5e-9a57-4a0b6e1d2c3b'

const DAY_MS = 86_400_000
const GIB = 1024 ** 3

const image = (nowMs: number, ageDays: number, given: Pick<Image, 'name'> & Partial<Image>): Image => ({
  id: uuidFrom(`image ${given.name}`),
  status: 'active',
  visibility: 'public',
  ownerId: projectIdOf('admin'),
  memberIds: [],
  sizeBytes: 3 * GIB,
  minDiskGib: 10,
  minMemoryMib: 2048,
  createdMs: nowMs - ageDays * DAY_MS,
  ...given,
})

/** What a cloud with GPUs has: images with and without a guest driver, and one that is too large for its flavors. */
export const demoImages = (nowMs: number): GlanceState => ({
  maxLimit: 1000,
  images: [
    image(nowMs, 200, {
      id: IMAGE_ID,
      name: 'ubuntu-24.04',
      sizeBytes: GIB / 2,
      minDiskGib: 0,
      minMemoryMib: 0,
    }),
    image(nowMs, 30, { name: 'ubuntu-24.04-nvidia-550' }),
    image(nowMs, 28, { name: 'rocky-9.4-nvidia-550' }),
    image(nowMs, 20, { name: 'windows-11-vdi', sizeBytes: 18 * GIB, minDiskGib: 64, minMemoryMib: 4096 }),
    image(nowMs, 3, {
      name: 'cfd-solver-2026.10',
      visibility: 'private',
      ownerId: projectIdOf('cfd-lab'),
      sizeBytes: 9 * GIB,
      minDiskGib: 20,
    }),
    image(nowMs, 9, {
      name: 'jupyter-torch',
      visibility: 'shared',
      ownerId: projectIdOf('bio-ml'),
      memberIds: [projectIdOf('cfd-lab')],
    }),
    image(nowMs, 1, { name: 'upload-in-progress', status: 'queued', sizeBytes: null }),
    image(nowMs, 90, { name: 'ubuntu-20.04', status: 'deactivated' }),
    image(nowMs, 60, { name: 'debian-sid', visibility: 'community', ownerId: projectIdOf('platform') }),
  ],
})
