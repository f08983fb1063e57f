import Link from 'next/link'
import { asSentence } from '@/components/finding/finding-words'
import { CommandLine } from '@/components/ui/command-line'
import { CopyableId } from '@/components/ui/copyable'
import { Panel } from '@/components/ui/panel'
import type { RebootPreviewDto } from '@/lib/schemas/api/reboot'
import { gpuPath } from '@/lib/util/paths'

/** Unused mdevs that a reboot recreates: they would keep their card on another type. */
export const UnwantedMdevs = ({
  unwanted,
  host,
  cloud,
}: {
  unwanted: RebootPreviewDto['unwanted']
  host: string
  cloud: string | null
}) => (
  <Panel
    title="Come back without being wanted"
    note="attached to no guest, of another type than nova.conf names"
  >
    {unwanted === null ? (
      <p className="text-ink2">
        Can’t tell: nova.conf or the definitions of the mdevs could not be read; the host’s problems say
        which.
      </p>
    ) : unwanted.length === 0 ? (
      <p className="text-ink2">None.</p>
    ) : (
      <ul className="flex flex-col gap-2.5">
        {unwanted.map(({ uuid, pgpuAddress, parent, typeName, because, command }) => (
          <li key={uuid} className="grid gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
            <div>
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-[550]">{typeName}</span>
                <CopyableId id={uuid} label="uuid of the mdev" name={`mdev of ${typeName}`} />
                {pgpuAddress === null ? (
                  <span className="font-mono text-small">{parent}</span>
                ) : (
                  <Link
                    href={gpuPath({ cloud, host, address: pgpuAddress })}
                    prefetch={false}
                    className="font-mono text-small hover:text-accent-ink hover:underline"
                  >
                    {parent}
                  </Link>
                )}
              </p>
              <p className="break-words text-ink2">{asSentence(because)}</p>
            </div>
            <CommandLine command={command} />
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
