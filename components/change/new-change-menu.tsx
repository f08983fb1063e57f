import { Plus } from 'lucide-react'
import Link from 'next/link'
import { buttonStyle } from '@/components/ui/button'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import {
  gpuHeadroomPath,
  newFlavorPath,
  newLimitsPath,
  newOrphansPath,
  newPassthroughPath,
  newTraitsPath,
  newTypePath,
} from '@/lib/util/paths'

/** Every kind of change. A page that needs pGPUs or limits begins with their selection. */
const KINDS: readonly { label: string; path: (cloud: string | null) => string }[] = [
  { label: 'Change vGPU type', path: (cloud) => newTypePath({ cloud, gpus: [] }) },
  { label: 'Remove orphaned mdevs', path: (cloud) => newOrphansPath({ cloud }) },
  { label: 'Tag with traits', path: (cloud) => newTraitsPath({ cloud }) },
  { label: 'Configure PCI passthrough', path: (cloud) => newPassthroughPath({ cloud, to: 'whole' }) },
  {
    label: 'Remove cards from PCI passthrough',
    path: (cloud) => newPassthroughPath({ cloud, to: 'sliced' }),
  },
  { label: 'Reserve capacity for GPU servers', path: (cloud) => gpuHeadroomPath({ cloud }) },
  { label: 'Create flavor', path: (cloud) => newFlavorPath({ cloud }) },
  { label: 'Change limits', path: (cloud) => newLimitsPath({ cloud, limits: [] }) },
]

export const NewChangeMenu = ({ cloud }: { cloud: string | null }) => (
  <DropdownMenu modal={false}>
    <DropdownMenuTrigger className={buttonStyle({ variant: 'main' })}>
      <Plus size={14} aria-hidden /> New change
    </DropdownMenuTrigger>
    <DropdownMenuContent className="w-72">
      {KINDS.map(({ label, path }) => (
        <DropdownMenuItem key={label} asChild>
          <Link href={path(cloud)} prefetch={false}>
            {label}
          </Link>
        </DropdownMenuItem>
      ))}
    </DropdownMenuContent>
  </DropdownMenu>
)
