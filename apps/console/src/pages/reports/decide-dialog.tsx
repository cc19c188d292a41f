import { limits } from "@madang/contract/limits";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { Field } from "../../ui/fields/field";
import { type ShownReport, textOf } from "./reported";

/** Resolves a report, or opens it again. */
export function DecideDialog({ report, onClose }: { report: ShownReport; onClose: () => void }) {
  const t = useTexts();
  const isOpen = report.status === "open";
  const text = textOf(report);
  return (
    <Confirm
      title={isOpen ? t.resolveTitle : t.reopenTitle}
      description={isOpen ? t.resolveText : t.reopenText}
      action={isOpen ? t.resolve : t.reopen}
      isDanger={false}
      onClose={onClose}
      onConfirm={async (_, form) => {
        const resolution = String(form.get("resolution") ?? "").trim();
        await chat.reports.resolve(
          report.report_id,
          isOpen ? { status: "resolved", ...(resolution !== "" && { resolution }) } : { status: "open" },
        );
        await queryClient.invalidateQueries({ queryKey: ["reports"] });
      }}
    >
      <blockquote className="quoted user-text">
        {report.reason}
        {text && <p className="quiet">{text.slice(0, 400)}</p>}
      </blockquote>
      {isOpen && (
        <Field label={t.resolution} hint={t.resolutionHint}>
          {(id) => (
            <textarea id={id} name="resolution" rows={3} maxLength={limits.moderationReason.maxLength} />
          )}
        </Field>
      )}
    </Confirm>
  );
}
