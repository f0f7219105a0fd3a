import type { AlertView } from '../view/derive-alerts.ts';
import type { ConnectionView } from '../view/derive-connection.ts';
import { Prose } from './prose.tsx';

interface BannersProps {
  readonly connection: ConnectionView;
  readonly alerts: readonly AlertView[];
}

/** Whatever keeps the page or the worker from being right, above everything else. */
export function Banners({ connection, alerts }: BannersProps) {
  const { banner } = connection;
  if (banner === null && alerts.length === 0) return null;
  return (
    <div className="banners">
      {banner !== null && (
        <div className={`banner banner-${banner.severity}`}>
          <p className="banner-title">{banner.title}</p>
          <p>{banner.detail}</p>
          {banner.offerReload && (
            <button type="button" className="button" onClick={() => location.reload()}>
              Reload the page
            </button>
          )}
        </div>
      )}
      {alerts.map((alert) => (
        <div key={alert.key} className={`banner banner-${alert.severity}`}>
          <p className="banner-title">
            <Prose text={alert.title} />
          </p>
          <p>
            <Prose text={alert.detail} />
          </p>
        </div>
      ))}
    </div>
  );
}
