import { type Encoded, tagFor, trusted } from './encoded'
import { visible } from './visible'

/**
 * One argument of a command line in a unit file (systemd.service, "Command lines"): quoted, with `%` and `$` doubled, since
 * systemd would replace them. Control, format and separator characters are replaced by their code points.
 */
export const systemdWord = (text: string): Encoded<'systemd'> => {
  const clean = visible(text).replaceAll('%', '%%').replaceAll('$', '$$$$')
  return trusted(
    /^[A-Za-z0-9_./:@+-][A-Za-z0-9_./:@+=-]*$/.test(clean)
      ? clean
      : `"${clean.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  )
}

/** Lines of a unit file: systemd`ExecStart=/usr/bin/tool ${systemdWord(address)}`. */
export const systemd = tagFor<'systemd'>()
