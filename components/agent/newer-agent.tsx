/** Under the version of an agent whose contract the console does not know whole. */
export const NewerAgent = () => (
  <p className="text-ink2 text-small">
    Newer than this console, which ignores fields that it does not know. Upgrade the console to the same
    release.
  </p>
)
