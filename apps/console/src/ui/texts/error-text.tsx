import { isChatError } from "@madang/client";
import { useTexts } from "../../text/language";

/** Why something failed, in the words of the page where it has some, and then in those of the service. */
export function ErrorText({ error }: { error: unknown }) {
  // A newer service may have other codes.
  const problems: Readonly<Record<string, string | undefined>> = useTexts().problems;
  const detail = detailOf(error);
  if (!isChatError(error)) return detail;
  const problem = problems[error.code ?? error.kind];
  if (problem === undefined) return detail;
  return (
    <>
      {problem}
      <small className="error-detail" lang="en">
        {detail}
      </small>
    </>
  );
}

function detailOf(error: unknown): string {
  if (!isChatError(error)) return String(Object(error).message ?? error);
  const [first] = error.errors ?? [];
  return first ? `${first.path}: ${first.message}` : (error.detail ?? error.message);
}
